package io.tierwise.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mean of a steady state with its 95% confidence interval, by batch means: the first tenth is
 * left out, the rest makes 40 batches that are taken as independent.
 *
 * <p>Source: Law, Simulation Modeling and Analysis, 9.5.3.
 */
public final class BatchMeans {
  private static final int BATCHES = 40;

  /** Student's t for 39 degrees of freedom, two-sided 95%. */
  private static final double STUDENT_T = 2.0227;

  private final double[] values;
  private int count;

  /** Room for so many observations; all must be made. */
  public BatchMeans(int observations) {
    values = new double[observations];
  }

  /** Adds an observation; those beyond the announced number are left out. */
  public void add(double value) {
    if (count < values.length) {
      values[count++] = value;
    }
  }

  /** Requires {@code theory} inside the interval, whose half-width is at most 1% of it. */
  public void assertMeanIs(double theory) {
    assertThat(count).isEqualTo(values.length);
    int warmUp = count / 10;
    int batch = (count - warmUp) / BATCHES;
    double[] means = new double[BATCHES];
    double mean = 0;
    for (int i = 0; i < BATCHES; i++) {
      for (int k = 0; k < batch; k++) {
        means[i] += values[warmUp + i * batch + k] / batch;
      }
      mean += means[i] / BATCHES;
    }
    double squares = 0;
    for (double m : means) {
      squares += (m - mean) * (m - mean);
    }
    double halfWidth = STUDENT_T * Math.sqrt(squares / (BATCHES - 1) / BATCHES);
    assertThat(halfWidth).as("half-width about %f", mean).isLessThanOrEqualTo(0.01 * theory);
    assertThat(theory).isBetween(mean - halfWidth, mean + halfWidth);
  }
}
