package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.policies.movement.ReplicaWorth.Reads;
import io.tierwise.policies.movement.ReplicaWorth.Worth;
import org.junit.jupiter.api.Test;

class ReplicaWorthTest {
  private static final long BYTES = 200_000_000;
  private final ReplicaWorth disk =
      new ReplicaWorth(new DeviceClass("disk", 100e6, 50e6, Double.NaN, 0, Double.NaN), 3);

  /** Replica k + 1 of k saves 30 x 2 s x (12/k - 12/(k+1)); each costs 2 s + 4 s. */
  @Test
  void asManyReplicasPayAsSaveMoreThanTheyCost() {
    Worth worth = disk.of(BYTES, new Reads(30, 12), 3, 12);

    // 60 (12/10 - 12/11) = 6.5 s > 6 s; 60 (12/11 - 1) = 5.5 s < 6 s.
    assertThat(worth.replicas()).isEqualTo(11);
    assertThat(worth.savedSeconds()).isCloseTo(60 * (4 - 12 / 11.0), within(1e-9));
    assertThat(worth.costSeconds()).isCloseTo(8 * 6, within(1e-9));
  }

  @Test
  void noneIsNeededWhereEachReaderHasAReplica() {
    assertThat(disk.of(BYTES, new Reads(1_000, 3), 3, 12).replicas()).isEqualTo(3);
    assertThat(disk.of(BYTES, new Reads(1_000, 1), 3, 12).replicas()).isEqualTo(3);
    assertThat(disk.of(0, new Reads(1_000, 12), 3, 12).replicas()).isEqualTo(3);
  }

  /**
   * A file that was given one replica while nobody read it, and is read by one reader at a time.
   */
  @Test
  void theUsualReplicasAreGivenBackWhateverTheySave() {
    assertThat(disk.of(BYTES, new Reads(1, 1), 1, 5).replicas()).isEqualTo(3);
    assertThat(disk.of(BYTES, new Reads(1, 1), 1, 2).replicas()).isEqualTo(2);
    assertThat(disk.of(BYTES, new Reads(1, 1), 3, 5).replicas()).isEqualTo(3);
  }

  @Test
  void itIsNeverMoreThanIsWanted() {
    assertThat(disk.of(BYTES, new Reads(1e6, 100), 3, 5).replicas()).isEqualTo(5);
    assertThat(disk.of(BYTES, new Reads(1e6, 100), 5, 5).replicas()).isEqualTo(5);
  }

  @Test
  void withoutMeasuredSpeedsTheAnswerHasNoSeconds() {
    Worth worth =
        new ReplicaWorth(DeviceClass.unmeasured("disk"), 3).of(BYTES, new Reads(30, 12), 3, 12);

    assertThat(worth.replicas()).isEqualTo(12);
    assertThat(worth.savedSeconds()).isNaN();
    assertThat(worth.costSeconds()).isNaN();
  }
}
