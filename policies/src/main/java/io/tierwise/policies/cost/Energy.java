package io.tierwise.policies.cost;

/** Energy of machines and devices. */
public final class Energy {
  private static final double JOULES_PER_KILOWATT_HOUR = 3.6e6;

  private Energy() {}

  /**
   * Energy of a device that is either idle or active.
   *
   * <p>E = P_idle t + (P_active - P_idle) t_active: joules; P watts, t seconds in all, t_active
   * seconds in which it transferred.
   *
   * <p>Own: the two states that data sheets give figures of. No spinning down.
   *
   * @param activeSeconds no more than {@code seconds}
   */
  public static double deviceJoules(
      double seconds, double activeSeconds, double wattsIdle, double wattsActive) {
    Require.notNegative("seconds", seconds);
    Require.notNegative("activeSeconds", activeSeconds);
    if (activeSeconds > seconds) {
      throw new IllegalArgumentException(
          "activeSeconds are " + activeSeconds + ", more than the " + seconds + " there are");
    }
    requireWatts(wattsIdle, wattsActive);
    return wattsIdle * seconds + (wattsActive - wattsIdle) * activeSeconds;
  }

  /**
   * Energy of a machine without its devices.
   *
   * <p>E = P_idle t + (P_busy - P_idle) c / n: joules; c core seconds of work, n cores.
   *
   * <p>Own: linear between idle and all cores busy, the two figures of each machine that SPECpower
   * publishes. Its intermediate loads lie above the line for some machines and below it for others.
   *
   * @param coreSeconds no more than {@code seconds} times {@code cores}
   */
  public static double nodeJoules(
      double seconds, double coreSeconds, int cores, double wattsIdle, double wattsBusy) {
    Require.positive("cores", cores);
    return deviceJoules(seconds, coreSeconds / cores, wattsIdle, wattsBusy);
  }

  /** Joules as kilowatt hours, which electricity is sold by. */
  public static double kilowattHours(double joules) {
    return joules / JOULES_PER_KILOWATT_HOUR;
  }

  private static void requireWatts(double wattsIdle, double wattsActive) {
    Require.notNegative("wattsIdle", wattsIdle);
    Require.notNegative("wattsActive", wattsActive);
    if (wattsActive < wattsIdle) {
      throw new IllegalArgumentException(
          "wattsActive is " + wattsActive + ", below wattsIdle " + wattsIdle);
    }
  }
}
