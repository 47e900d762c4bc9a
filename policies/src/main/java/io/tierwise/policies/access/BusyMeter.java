package io.tierwise.policies.access;

/**
 * Seconds that told bytes should have taken at a device or link, and seconds in which somebody
 * waited for them; both fade. For {@link ReportedSpeeds}, which locks.
 */
final class BusyMeter {
  /** Own: some blocks of a busy device, and a few seconds after it recovers. */
  static final long WINDOW_MILLIS = 10_000;

  /** Own: calls that begin at one time are handled in any order; a clock goes back further. */
  private static final long DISORDER_MILLIS_MAX = 1_000;

  private static final double MILLIS_PER_SECOND = 1e3;

  private double workSeconds;
  private double busySeconds;
  private long atMillis;

  /** The end of the time that is counted as busy. */
  private long endMillis = Long.MIN_VALUE;

  BusyMeter() {}

  /** As the other one is now. */
  BusyMeter(BusyMeter other) {
    workSeconds = other.workSeconds;
    busySeconds = other.busySeconds;
    atMillis = other.atMillis;
    endMillis = other.endMillis;
  }

  /**
   * @param addedWork seconds that its bytes should have taken
   * @param waitedMillis until {@code endedMillis}
   */
  void add(double addedWork, long waitedMillis, long endedMillis, long nowMillis) {
    double left = left(nowMillis);
    // A clock that went back: what it said before is not to come.
    long last = endMillis > nowMillis + DISORDER_MILLIS_MAX ? Long.MIN_VALUE : endMillis;
    // Readers that wait at one time are one busy device.
    long from = Math.max(last, endedMillis - waitedMillis);
    workSeconds = workSeconds * left + addedWork;
    busySeconds = busySeconds * left + Math.max(0, endedMillis - from) / MILLIS_PER_SECOND;
    endMillis = Math.max(last, endedMillis);
    atMillis = nowMillis;
  }

  private double left(long nowMillis) {
    long age = nowMillis - atMillis;
    // Mostly it was added to a moment ago, and an exponential function takes long.
    return age <= 0 ? 1 : Math.exp(-(double) age / WINDOW_MILLIS);
  }

  double workSeconds(long nowMillis) {
    return workSeconds * left(nowMillis);
  }

  double busySeconds(long nowMillis) {
    return busySeconds * left(nowMillis);
  }
}
