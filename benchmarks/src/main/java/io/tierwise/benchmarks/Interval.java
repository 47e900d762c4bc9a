package io.tierwise.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/**
 * A median and where the true one is with a confidence of 95% at least.
 *
 * @param median of the values
 * @param low the interval's lower end
 * @param high its upper end
 */
public record Interval(double median, double low, double high) {
  /** Standard deviations of a normal distribution that 95% of it are within. */
  private static final double DEVIATIONS = 1.96;

  /**
   * Of independent values, whatever their distribution.
   *
   * <p>How many of n values are below the true median is binomial with n / 2 and a deviation of the
   * root of n / 4; the interval ends at the values of those ranks.
   */
  public static Interval ofMedian(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    int below = Math.max(0, (int) Math.floor((n - DEVIATIONS * Math.sqrt(n)) / 2));
    double middle = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    return new Interval(middle, sorted[below], sorted[n - 1 - below]);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", median, low, high);
  }
}
