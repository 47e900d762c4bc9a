package io.tierwise.hadoop.inspect.audit;

/** How long a log was written: the time between its lines, without leaps of its clock. */
public final class ObservedTime {
  /** Own: a log that is silent for a day was not written, or its clock was set. */
  private static final long GAP_MILLIS_MAX = 86_400_000;

  private boolean started;
  private long lastMillis;
  private long observedMillis;
  private int jumps;

  /** The log's clock showed that time. */
  void at(long millis) {
    long step = started ? millis - lastMillis : 0;
    if (step < 0 || step > GAP_MILLIS_MAX) {
      jumps++;
    } else {
      observedMillis += step;
    }
    started = true;
    lastMillis = millis;
  }

  /** How long the log was written. */
  public double seconds() {
    return observedMillis / 1e3;
  }

  /** How often the clock went back, or on by more than a day. */
  public int jumps() {
    return jumps;
  }
}
