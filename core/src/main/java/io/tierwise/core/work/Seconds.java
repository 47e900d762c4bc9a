package io.tierwise.core.work;

/**
 * How long something will take, as far as the past tells.
 *
 * @param low below which the truth lies in one of 40 cases
 * @param likely the best guess; NaN when nothing is known
 * @param high above which the truth lies in one of 40 cases
 */
public record Seconds(double low, double likely, double high) {
  /** Nothing is known. */
  public static final Seconds UNKNOWN = new Seconds(0, Double.NaN, Double.POSITIVE_INFINITY);

  public Seconds {
    if (!(low >= 0 && high >= low) || likely < low || likely > high) {
      throw new IllegalArgumentException(
          "an estimate of " + likely + " s between " + low + " s and " + high + " s has no order");
    }
  }

  /** Whether there is a guess. */
  public boolean known() {
    return !Double.isNaN(likely);
  }

  /**
   * The upper end of what {@code count} of them take one after the other.
   *
   * <p>n m + sqrt(n) (h - m): seconds; n the count, m likely, h high. The errors of tasks that do
   * not depend on each other make up for each other.
   */
  public double highOfSum(int count) {
    return count * likely + Math.sqrt(count) * (high - likely);
  }
}
