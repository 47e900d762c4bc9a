package io.tierwise.simulator.engine;

/**
 * Simulated time in whole picoseconds since the start of the run; a {@code long} reaches 106 days.
 *
 * <p>Own: sums of floating-point delays depend on the order in which they are added, sums of
 * integers do not; and equal completion times are equal exactly, which lets changes of one instant
 * be handled together.
 */
public final class Ticks {
  /** Ticks of one second. */
  public static final long PER_SECOND = 1_000_000_000_000L;

  /** The tick that no run reaches. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long PER_NANO = PER_SECOND / 1_000_000_000L;

  private Ticks() {}

  /**
   * The nearest tick; {@link #NEVER} for what lies beyond the last one.
   *
   * @throws IllegalArgumentException for a negative number and for no number
   */
  public static long ofSeconds(double seconds) {
    if (!(seconds >= 0)) {
      throw new IllegalArgumentException("not a time: " + seconds + " s");
    }
    return Math.round(seconds * PER_SECOND);
  }

  /** The tick of a nanosecond; {@link #NEVER} for what lies beyond the last one. */
  public static long ofNanos(long nanos) {
    return nanos > NEVER / PER_NANO ? NEVER : nanos * PER_NANO;
  }

  /** Whole nanoseconds since the start of the run. */
  public static long toNanos(long ticks) {
    return ticks / PER_NANO;
  }

  /** Seconds since the start of the run; infinite for {@link #NEVER}. */
  public static double toSeconds(long ticks) {
    return ticks == NEVER ? Double.POSITIVE_INFINITY : ticks / (double) PER_SECOND;
  }
}
