package io.tierwise.simulator.engine;

import java.util.Arrays;

/** Buckets of equal width, a power of two, side by side; the last one may reach further. */
final class Rung {
  /** No bucket with events is left. */
  static final int EMPTY = -1;

  /** Heads of the buckets' lists. */
  int[] heads = new int[64];

  /** Where the first bucket that was not taken starts. */
  long from;

  /** Where the next rung, or the top, starts. */
  long end;

  private long start;
  private int shift;
  private int bucketCount;
  private int next;

  /** Lays empty buckets, about one an event, over the ticks of some events. */
  void span(long least, long greatest, int eventCount, long end) {
    start = least;
    from = least;
    this.end = end;
    shift = 0;
    while ((greatest - least) >>> shift >= eventCount) {
      shift++;
    }
    bucketCount = (int) ((greatest - least) >>> shift) + 1;
    next = 0;
    if (heads.length < bucketCount) {
      heads = new int[2 * bucketCount];
    }
    Arrays.fill(heads, 0, bucketCount, EMPTY);
  }

  /** Lets the rung end with its last bucket. */
  void endAfterLast() {
    end = startOf(bucketCount);
  }

  int bucketOf(long tick) {
    return (int) Math.min((tick - start) >>> shift, bucketCount - 1);
  }

  /** Takes the events of the next bucket that has any; {@link #EMPTY} if none has. */
  int takeNext() {
    while (next < bucketCount) {
      int list = heads[next++];
      if (list != EMPTY) {
        from = next == bucketCount ? end : startOf(next);
        return list;
      }
    }
    from = end;
    return EMPTY;
  }

  private long startOf(int bucket) {
    long tick = start + ((long) bucket << shift);
    return tick < start ? Ticks.NEVER : tick;
  }
}
