package io.tierwise.policies.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.data.IdHash;
import org.junit.jupiter.api.Test;

class TailSketchTest {
  private static final int KEYS = 64;
  private static final long KEY = 0x123456789abcdefL;

  private final TailSketch sketch = new TailSketch(10);

  /** An estimate below the truth would be no bound. */
  @Test
  void anEstimateHasWhatThisPeriodAndTheOneBeforeCounted() {
    sketch.add(KEY, 3);
    sketch.turn();
    sketch.add(KEY, 2);

    assertThat(sketch.estimate(KEY)).isEqualTo(5);
    assertThat(sketch.total()).isEqualTo(5);
    sketch.turn();
    assertThat(sketch.estimate(KEY)).as("the first period is forgotten").isEqualTo(2);
    sketch.turn();
    assertThat(sketch.estimate(KEY)).isZero();
    assertThat(sketch.total()).isZero();
  }

  /**
   * Of 4 x 16 cells for 64 keys of one read each a plain sketch gives estimates of 3 on average.
   */
  @Test
  void conservativeUpdateKeepsEstimatesBelowThoseOfAPlainSketch() {
    int bits = 4;
    TailSketch conservative = new TailSketch(bits);
    int[][] plain = new int[TailSketch.DEPTH][1 << bits];
    for (long key = 1; key <= KEYS; key++) {
      conservative.add(key, 1);
      for (int array = 0; array < plain.length; array++) {
        plain[array][cell(key, array, bits)]++;
      }
    }

    int estimates = 0;
    int plainly = 0;
    for (long key = 1; key <= KEYS; key++) {
      int least = Integer.MAX_VALUE;
      for (int array = 0; array < plain.length; array++) {
        least = Math.min(least, plain[array][cell(key, array, bits)]);
      }
      plainly += least;
      estimates += conservative.estimate(key);
    }
    assertThat(plainly).isBetween(5 * KEYS / 2, 7 * KEYS / 2);
    assertThat(estimates).isBetween(KEYS, 2 * KEYS);
  }

  private static int cell(long key, int array, int bits) {
    return (int) (IdHash.mix(key * TailSketch.DEPTH + array) >>> (Long.SIZE - bits));
  }
}
