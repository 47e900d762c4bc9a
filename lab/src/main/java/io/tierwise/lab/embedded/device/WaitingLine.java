package io.tierwise.lab.embedded.device;

import java.util.concurrent.locks.LockSupport;

/**
 * A resource that serves one request at a time, in order of arrival: what many streams with one
 * request each get is a fair share.
 *
 * <p>Waiting is real: the caller sleeps until its request would be done. Safe for many threads.
 */
public final class WaitingLine {
  private long busyUntilNanos = System.nanoTime();

  /**
   * Books {@code seconds} of service and returns when they end, in {@link System#nanoTime} terms.
   *
   * @param earliestNanos when the service may begin; may lie in the past, for a resource that went
   *     ahead while the caller was busy elsewhere. Time is never booked twice.
   */
  public synchronized long book(double seconds, long earliestNanos) {
    busyUntilNanos = later(busyUntilNanos, earliestNanos) + (long) (seconds * 1e9);
    return busyUntilNanos;
  }

  /** The later of two moments of {@link System#nanoTime}. */
  public static long later(long oneNanos, long otherNanos) {
    return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
  }

  /** Sleeps until {@code deadlineNanos}; an interrupt ends the sleep and stays set. */
  public static void sleepUntil(long deadlineNanos) {
    long left = deadlineNanos - System.nanoTime();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = deadlineNanos - System.nanoTime();
    }
  }
}
