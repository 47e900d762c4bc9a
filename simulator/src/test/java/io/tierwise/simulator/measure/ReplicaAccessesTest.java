package io.tierwise.simulator.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReplicaAccessesTest {
  private final ReplicaAccesses accesses = new ReplicaAccesses();

  private void accessed(int block, int volume, int times) {
    for (int i = 0; i < times; i++) {
      accesses.accessed(block, volume);
    }
  }

  @Test
  void replicasThatNobodyAskedForCountToo() {
    accessed(7, 1, 4);
    accessed(7, 2, 2);

    assertThat(accesses.deviation(block -> new int[] {1, 2, 3}))
        .isCloseTo(Math.sqrt((4 + 0 + 4) / 3.0), within(1e-12));
  }

  @Test
  void replicasThatAreGoneStillCount() {
    accessed(7, 1, 4);
    accessed(7, 9, 4);

    assertThat(accesses.deviation(block -> new int[] {1})).isZero();
  }

  /** The second block's replicas were asked for 3 and 1 times: a deviation of 1. */
  @Test
  void blocksCountAlikeHoweverOftenTheyAreRead() {
    accessed(0, 1, 100);
    accessed(0, 2, 100);
    accessed(1, 1, 3);
    accessed(1, 2, 1);

    assertThat(accesses.deviation(block -> new int[] {1, 2})).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void ofTooManyItIsNotComputed() {
    assertThat(accesses.deviation(block -> new int[] {1})).isNaN();
    for (int block = 0; block < ReplicaAccesses.REPLICAS_MAX; block++) {
      accessed(block, 1, 2);
    }
    assertThat(accesses.deviation(block -> new int[] {1})).isZero();

    accessed(-1, 1, 1);
    assertThat(accesses.deviation(block -> new int[] {1})).isNaN();
  }
}
