package io.tierwise.policies.heat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TailSketchTest {
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
}
