package io.tierwise.simulator.report;

import java.util.Arrays;

/**
 * An estimate of a figure from runs with different seeds.
 *
 * @param mean over the runs
 * @param halfWidth of the 95% confidence interval of the mean; NaN with fewer than two runs
 * @param count of runs
 */
public record Estimate(double mean, double halfWidth, int count) {
  /** Normal distribution, 97.5%. */
  private static final double Z = 1.959963984540054;

  /** Student's t, 97.5%, for 1 to 10 degrees of freedom. Source: any table of the distribution. */
  private static final double[] T = {
    12.70620474, 4.30265273, 3.18244631, 2.77644511, 2.57058184,
    2.44691185, 2.36462425, 2.30600414, 2.26215716, 2.22813885
  };

  /**
   * The estimate from independent runs: mean ± t · s / √n.
   *
   * <p>s is the sample's standard deviation, t Student's 97.5% quantile with n - 1 degrees of
   * freedom. A figure that a run does not have (NaN) makes the mean NaN.
   */
  public static Estimate of(double... values) {
    int count = values.length;
    double mean = Arrays.stream(values).average().orElse(Double.NaN);
    if (count < 2) {
      return new Estimate(mean, Double.NaN, count);
    }
    if (Arrays.stream(values).allMatch(value -> value == values[0])) {
      return new Estimate(values[0], 0, count);
    }
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    double deviation = Math.sqrt(squares / (count - 1));
    return new Estimate(mean, quantile(count - 1) * deviation / Math.sqrt(count), count);
  }

  /** Half-width as a share of the mean; 0 when both are 0, NaN when there is no interval. */
  public double relativeHalfWidth() {
    return halfWidth == 0 ? 0 : halfWidth / Math.abs(mean);
  }

  /**
   * Student's t, 97.5%. Above 10 degrees of freedom by the expansion around the normal
   * distribution's quantile: t = z + (z³ + z) / 4d + (5z⁵ + 16z³ + 3z) / 96d² + (3z⁷ + 19z⁵ + 17z³
   * - 15z) / 384d³.
   *
   * <p>Source: Fisher and Cornish, The Percentile Points of Distributions Having Known Cumulants
   * (1960).
   */
  static double quantile(int degreesOfFreedom) {
    if (degreesOfFreedom <= T.length) {
      return T[degreesOfFreedom - 1];
    }
    double d = degreesOfFreedom;
    double z3 = Z * Z * Z;
    double z5 = z3 * Z * Z;
    double z7 = z5 * Z * Z;
    return Z
        + (z3 + Z) / (4 * d)
        + (5 * z5 + 16 * z3 + 3 * Z) / (96 * d * d)
        + (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * d * d * d);
  }
}
