package io.tierwise.hadoop.embedded.device;

import java.util.concurrent.locks.LockSupport;

/**
 * A resource that serves one request at a time, in order of arrival: what many streams with one
 * request each get is a fair share.
 *
 * <p>Waiting is real: the calling thread sleeps until its request would be done. An idle resource
 * lends {@link #CREDIT_NANOS} of the past, because threads wake late and a device reads ahead
 * meanwhile. Safe for many threads.
 */
public final class WaitingLine {
  /**
   * Own: a thread wakes 50 to 100 microseconds late on an idle machine, a millisecond on a busy
   * one.
   */
  private static final long CREDIT_NANOS = 4_000_000;

  private long busyUntilNanos = System.nanoTime() - CREDIT_NANOS;

  /**
   * Books {@code seconds} of service and returns when they end, in {@link System#nanoTime} terms.
   */
  public synchronized long book(double seconds) {
    long earliest = System.nanoTime() - CREDIT_NANOS;
    if (busyUntilNanos - earliest < 0) {
      busyUntilNanos = earliest;
    }
    busyUntilNanos += (long) (seconds * 1e9);
    return busyUntilNanos;
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
