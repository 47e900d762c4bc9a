package io.tierwise.core.cluster;

/**
 * The power that a device draws in its two states; told by an administrator, since no probe can
 * measure it.
 *
 * @param idleWatts powered and idle; {@link Double#NaN} when unknown
 * @param activeWatts while transferring, no less; unknown when the other is
 */
public record Power(double idleWatts, double activeWatts) {
  public static final Power UNKNOWN = new Power(Double.NaN, Double.NaN);

  public Power {
    boolean told = idleWatts >= 0 && activeWatts >= idleWatts && Double.isFinite(activeWatts);
    if (!told && !(Double.isNaN(idleWatts) && Double.isNaN(activeWatts))) {
      throw new IllegalArgumentException(
          idleWatts + " W idle and " + activeWatts + " W active are no power of a device");
    }
  }

  public boolean known() {
    return !Double.isNaN(activeWatts);
  }

  /**
   * Energy that work adds to a device that is powered anyway.
   *
   * <p>E = (P_active - P_idle) t: joules; P watts, t seconds in which it transfers.
   *
   * @return {@link Double#NaN} when the power is unknown or the time is
   */
  public double addedJoules(double activeSeconds) {
    return (activeWatts - idleWatts) * activeSeconds;
  }
}
