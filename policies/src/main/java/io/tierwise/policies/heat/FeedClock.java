package io.tierwise.policies.heat;

/**
 * The time of a feed, from times that may be wrong. Late ones count as now. One that is far ahead
 * of or behind the others is not believed before several in a row agree: a single one would end all
 * windows.
 */
final class FeedClock {
  /** Own: a clock that is wrong writes on; a spoilt line does not come eight times in a row. */
  private static final int AGREE = 8;

  private final long leapMillis;
  private boolean started;
  private long now;
  private long doubtful;
  private int agreed;
  private boolean steppedBack;

  /** Times that differ by less than this are believed at once. */
  FeedClock(long leapMillis) {
    this.leapMillis = leapMillis;
  }

  long now() {
    return now;
  }

  /** Whether the last time that was taken set the clock back. */
  boolean steppedBack() {
    return steppedBack;
  }

  /** Takes the time of an access and says what to count it as. */
  long take(long millis) {
    steppedBack = false;
    if (!started) {
      started = true;
      now = millis;
    }
    if (Math.abs(millis - now) < leapMillis) {
      agreed = 0;
      now = Math.max(now, millis);
      return now;
    }
    agreed = agreed > 0 && Math.abs(millis - doubtful) < leapMillis ? agreed + 1 : 1;
    doubtful = millis;
    if (agreed == AGREE) {
      agreed = 0;
      steppedBack = millis < now;
      now = millis;
    }
    return now;
  }
}
