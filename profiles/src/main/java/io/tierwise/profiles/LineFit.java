package io.tierwise.profiles;

/**
 * A line through what runs did, by the bytes that they read.
 *
 * <p>y(x) = my + b (x - mx), b = Sxy / Sxx: least squares; x input bytes, y a figure, m means, S
 * sums of products of distances from the means. A new run's figure falls between y(x) - h and y(x)
 * + h nine times of ten: h = t s sqrt(1 + 1/n + (x - mx)^2 / Sxx), s^2 = (Syy - b Sxy) / (n - 2), t
 * Student's for n - 2. No figure is below 0.
 *
 * <p>Source: DerbyhatS ch. 6 (figures of an application scale linearly with its input). Deviation:
 * a line need not go through 0, since starting a job takes time, too; only where all runs read the
 * same, or there is but one, figures are in proportion to the input.
 */
final class LineFit {
  /** Own: inputs that differ by less, as a share, are the same: of the order of a file's header. */
  private static final double SAME_SHARE = 1e-3;

  /** Student's t, 95%, for 1 to 30 degrees of freedom. */
  private static final double[] STUDENT = {
    6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771,
    1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725, 1.721, 1.717, 1.714, 1.711, 1.708, 1.706,
    1.703, 1.701, 1.699, 1.697
  };

  private long count;
  private double meanX;
  private double meanY;
  private double sumXx;
  private double sumXy;
  private double sumYy;

  /** Adds a run, by Welford's method: sums of squares of bytes would lose the small differences. */
  void add(double x, double y) {
    count++;
    double fromMeanX = x - meanX;
    double fromMeanY = y - meanY;
    meanX += fromMeanX / count;
    meanY += fromMeanY / count;
    sumXx += fromMeanX * (x - meanX);
    sumXy += fromMeanX * (y - meanY);
    sumYy += fromMeanY * (y - meanY);
  }

  double mean() {
    return meanY;
  }

  /** Whether all runs read the same, as far as it matters. */
  boolean oneSize() {
    return Math.sqrt(sumXx / count) <= SAME_SHARE * meanX;
  }

  Estimate at(double x) {
    if (oneSize()) {
      return inProportion(meanX > 0 ? x / meanX : 1);
    }
    double slope = sumXy / sumXx;
    double y = meanY + slope * (x - meanX);
    if (count == 2) {
      return new Estimate(Math.max(0, y), null, null);
    }
    // Rounding may leave a line without scatter a hair below 0.
    double variance = Math.max(0, sumYy - slope * sumXy) / (count - 2);
    double leverage = 1 + 1.0 / count + (x - meanX) * (x - meanX) / sumXx;
    return interval(y, student(count - 2) * Math.sqrt(variance * leverage));
  }

  private Estimate inProportion(double share) {
    double y = meanY * share;
    if (count == 1) {
      return new Estimate(y, null, null);
    }
    double variance = sumYy / (count - 1);
    return interval(y, share * student(count - 1) * Math.sqrt(variance * (1 + 1.0 / count)));
  }

  private static Estimate interval(double y, double half) {
    return new Estimate(Math.max(0, y), Math.max(0, y - half), Math.max(0, y + half));
  }

  /** Own: beyond the table the first term of the expansion, right to three digits. */
  static double student(long degrees) {
    return degrees <= STUDENT.length ? STUDENT[(int) degrees - 1] : 1.645 + 1.55 / degrees;
  }
}
