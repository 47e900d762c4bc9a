package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each of the rates alone, by moves of one byte. */
class PaceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long FAST = 1L << 40;

  private static Pace<String> pace(long ofNode, long ofVolume, long ofAll) {
    return new Pace<>(new MovementLimits(ofNode, ofVolume, ofAll, 1, 0, 0, 0, 0));
  }

  /** From the disk of a node to the SSD of one. */
  private static MoveClaim<String> move(String from, String to) {
    return new MoveClaim<>(to, from, to + "/ssd", from + "/disk", 1);
  }

  /** One that reads and writes the disk of its node. */
  private static MoveClaim<String> onDisks(String from, String to) {
    return new MoveClaim<>(to, from, to + "/disk", from + "/disk", 1);
  }

  @Test
  void aNodesRateHoldsUpMovesOnAllOfItsVolumes() {
    Pace<String> pace = pace(1, FAST, FAST);

    pace.start(0, move("a", "a"));

    assertThat(pace.startNanos(onDisks("b", "a"))).isEqualTo(SECOND);
    assertThat(pace.startNanos(move("b", "c"))).isLessThan(SECOND / 1000);
  }

  @Test
  void aVolumesRateHoldsUpItsOwnMovesAlone() {
    Pace<String> pace = pace(FAST, 1, FAST);

    pace.start(0, onDisks("a", "b"));

    assertThat(pace.startNanos(move("a", "c"))).as("from the disk that is read").isEqualTo(SECOND);
    assertThat(pace.startNanos(onDisks("c", "b"))).as("to the disk written").isEqualTo(SECOND);
    assertThat(pace.startNanos(move("c", "a"))).as("to another volume").isLessThan(SECOND / 1000);
  }

  @Test
  void aNodeBeginsSoManyMovesASecondHoweverSmall() {
    Pace<String> pace = new Pace<>(new MovementLimits(FAST, FAST, FAST, 1, 4, 0, 0, 0));

    pace.start(0, move("a", "b"));

    assertThat(pace.startNanos(move("a", "c"))).isEqualTo(SECOND / 4);
    assertThat(pace.startNanos(move("c", "b"))).isEqualTo(SECOND / 4);
    assertThat(pace.startNanos(move("c", "d"))).isLessThan(SECOND / 1000);
    pace.setShare(0, "a", 0.5);
    assertThat(pace.startNanos(move("a", "c"))).isEqualTo(SECOND / 2);
  }

  @Test
  void theRateOfAllHoldsUpEveryMove() {
    Pace<String> pace = pace(FAST, FAST, 1);

    pace.start(0, move("a", "a"));

    assertThat(pace.startNanos(move("b", "c"))).isEqualTo(SECOND);
  }
}
