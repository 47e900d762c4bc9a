package io.tierwise.policies.access;

/**
 * Seconds that told bytes should have taken at a device or link, and seconds in which somebody
 * waited for them; both fade. For {@link ReportedSpeeds}, which locks.
 *
 * <p>Several such pairs, by number, fade together: an exponential function takes long, and pairs
 * that lie anywhere in memory take longer.
 */
final class BusyMeter {
  /** Own: some blocks of a busy device, and a few seconds after it recovers. */
  static final long WINDOW_MILLIS = 10_000;

  /** Own: calls that begin at one time are handled in any order; a clock goes back further. */
  private static final long DISORDER_MILLIS_MAX = 1_000;

  private static final double MILLIS_PER_SECOND = 1e3;

  /** Of a pair: seconds of work, seconds of waiting, and the end of the time counted as such. */
  private static final int WORK = 0;

  private static final int BUSY = 1;
  private static final int END_MILLIS = 2;
  private static final int LENGTH = 3;

  private final double[] pairs;
  private long atMillis;

  BusyMeter(int count) {
    pairs = new double[LENGTH * count];
    for (int pair = 0; pair < count; pair++) {
      pairs[LENGTH * pair + END_MILLIS] = Double.NEGATIVE_INFINITY;
    }
  }

  /** All are to be added to, or read, as they are now. */
  void fade(long nowMillis) {
    double left = left(nowMillis);
    if (left < 1) {
      for (int at = 0; at < pairs.length; at += LENGTH) {
        pairs[at + WORK] *= left;
        pairs[at + BUSY] *= left;
      }
    }
    atMillis = nowMillis;
  }

  /** From now on a pair is as another one is. */
  void copy(int from, int to) {
    System.arraycopy(pairs, LENGTH * from, pairs, LENGTH * to, LENGTH);
  }

  /**
   * To one pair, at the time of the last {@link #fade}.
   *
   * @param addedWork seconds that its bytes should have taken
   * @param waitedMillis until {@code endedMillis}
   */
  void add(int pair, double addedWork, long waitedMillis, long endedMillis) {
    int at = LENGTH * pair;
    double end = pairs[at + END_MILLIS];
    // A clock that went back: what it said before is not to come.
    double last = end > atMillis + DISORDER_MILLIS_MAX ? Double.NEGATIVE_INFINITY : end;
    // Readers that wait at one time are one busy device.
    double from = Math.max(last, (double) (endedMillis - waitedMillis));
    pairs[at + WORK] += addedWork;
    pairs[at + BUSY] += Math.max(0, endedMillis - from) / MILLIS_PER_SECOND;
    pairs[at + END_MILLIS] = Math.max(last, (double) endedMillis);
  }

  private double left(long nowMillis) {
    long age = nowMillis - atMillis;
    // Mostly it was added to a moment ago, and an exponential function takes long.
    return age <= 0 ? 1 : Math.exp(-(double) age / WINDOW_MILLIS);
  }

  double workSeconds(int pair, long nowMillis) {
    return pairs[LENGTH * pair + WORK] * left(nowMillis);
  }

  double busySeconds(int pair, long nowMillis) {
    return pairs[LENGTH * pair + BUSY] * left(nowMillis);
  }
}
