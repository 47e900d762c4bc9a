package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** Each of the three rates alone, by moves of one byte. */
class PaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long FAST = 1L << 40;

  private static PlannedMove move(String from, String to) {
    return Made.move(Made.work(), from, to);
  }

  /** One that reads and writes the disk of its node. */
  private static PlannedMove onDisks(String from, String to) {
    Endpoint source = Made.volume(from, StorageType.DISK);
    return new PlannedMove(Made.work(), 1, source, source, Made.volume(to, StorageType.DISK), null);
  }

  @Test
  void aNodesRateHoldsUpMovesOnAllOfItsVolumes() {
    Pace pace = new Pace(MoverSettings.DEFAULT.atRates(1, FAST).atVolumeRate(FAST));

    pace.start(0, move("a", "a"));

    assertThat(pace.startNanos(onDisks("b", "a"))).isEqualTo(SECOND);
    assertThat(pace.startNanos(move("b", "c"))).isLessThan(SECOND / 1000);
  }

  @Test
  void aVolumesRateHoldsUpItsOwnMovesAlone() {
    Pace pace = new Pace(MoverSettings.DEFAULT.atRates(FAST, FAST).atVolumeRate(1));

    pace.start(0, onDisks("a", "b"));

    assertThat(pace.startNanos(move("a", "c"))).as("from the disk that is read").isEqualTo(SECOND);
    assertThat(pace.startNanos(onDisks("c", "b"))).as("to the disk written").isEqualTo(SECOND);
    assertThat(pace.startNanos(move("c", "a"))).as("to another volume").isLessThan(SECOND / 1000);
  }

  @Test
  void theRateOfAllHoldsUpEveryMove() {
    Pace pace = new Pace(MoverSettings.DEFAULT.atRates(FAST, 1));

    pace.start(0, move("a", "a"));

    assertThat(pace.startNanos(move("b", "c"))).isEqualTo(SECOND);
  }
}
