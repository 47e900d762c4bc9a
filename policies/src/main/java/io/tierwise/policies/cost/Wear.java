package io.tierwise.policies.cost;

/**
 * Wear of devices that stand only so many writes.
 *
 * <p>Own: a device's endurance is what its maker warrants, in bytes written by the host, so that
 * write amplification inside the device is already in it.
 */
public final class Wear {
  private static final double SECONDS_PER_DAY = 86_400;
  private static final double DAYS_PER_YEAR = 365;

  private Wear() {}

  /**
   * Share of a device's endurance that writes use up.
   *
   * @param enduranceBytes that may be written in its life; infinite for a hard disk
   * @return 1 for worn out, more for more than is warranted
   */
  public static double share(double writtenBytes, double enduranceBytes) {
    Require.notNegative("writtenBytes", writtenBytes);
    if (!(enduranceBytes > 0)) {
      throw new IllegalArgumentException(
          "enduranceBytes is " + enduranceBytes + ", must be above 0");
    }
    return writtenBytes / enduranceBytes;
  }

  /**
   * Endurance of a device whose maker warrants so many full drive writes a day.
   *
   * <p>endurance = capacity x DWPD x 365 x years: bytes.
   */
  public static double enduranceBytes(
      double capacityBytes, double driveWritesPerDay, double warrantyYears) {
    Require.positive("capacityBytes", capacityBytes);
    Require.positive("driveWritesPerDay", driveWritesPerDay);
    Require.positive("warrantyYears", warrantyYears);
    return capacityBytes * driveWritesPerDay * DAYS_PER_YEAR * warrantyYears;
  }

  /** Years until a device is worn out when it goes on as in the time observed; infinite at rest. */
  public static double lifetimeYears(
      double writtenBytes, double observedSeconds, double enduranceBytes) {
    Require.positive("observedSeconds", observedSeconds);
    double lifetimes = share(writtenBytes, enduranceBytes);
    return observedSeconds / lifetimes / SECONDS_PER_DAY / DAYS_PER_YEAR;
  }
}
