package io.tierwise.hadoop.hdfs;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A clock for what is asked with every block: a reading costs a few nanoseconds, where one of
 * {@link System#nanoTime} costs 50 on a virtual machine, and a decision 1,500 in all.
 *
 * <p>A thread writes the time down, each {@value #TICK_MILLIS} ms, and sleeps while nobody reads.
 * So what is shorter takes no time or a whole tick; sums of many are right all the same. Time in
 * which that thread is given no processor is left out but for {@value #COUNTED_MILLIS_MAX} ms, and
 * the pauses of the garbage collector are left out whole: else what runs just then would be taken
 * for as long.
 */
final class CoarseClock {
  static final long TICK_MILLIS = 5;

  /** Own: less than half of what a slow decision takes, and more than a busy machine delays. */
  static final long COUNTED_MILLIS_MAX = 20;

  /** Own: half a second without readers is no pause between two calls. */
  private static final int UNREAD_TICKS_MAX = 100;

  /** Stands for a time that is not kept. */
  private static final long ASLEEP = 0;

  /** Collectors that stop the process; those named after cycles work beside it. */
  private static final List<GarbageCollectorMXBean> STOPPING =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(collector -> !collector.getName().endsWith(" Cycles"))
          .toList();

  private static final CoarseClock SHARED =
      new CoarseClock(System::nanoTime, CoarseClock::collectedNanos);

  private final LongSupplier systemNanos;
  private final LongSupplier pausedNanos;
  private volatile long nowNanos = ASLEEP;

  /** Since the last tick; written once a tick, so that threads that read share its line. */
  private volatile boolean isRead;

  private Thread ticking;

  /** The system's time that was noted last; of the ticking thread, and of who wakes it. */
  private long lastNanos;

  /** All pauses until then; of the same. */
  private long lastPausedNanos;

  /** What was left out so far; of the same. */
  private long leftOutNanos;

  /**
   * @param pausedNanos for how long the process has been paused in all
   */
  CoarseClock(LongSupplier systemNanos, LongSupplier pausedNanos) {
    this.systemNanos = systemNanos;
    this.pausedNanos = pausedNanos;
    lastNanos = systemNanos.getAsLong();
    lastPausedNanos = pausedNanos.getAsLong();
  }

  private static long collectedNanos() {
    long millis = 0;
    for (GarbageCollectorMXBean collector : STOPPING) {
      millis += collector.getCollectionTime();
    }
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** The time of this process. */
  static long nanos() {
    return SHARED.read();
  }

  long read() {
    long now = nowNanos;
    if (now == ASLEEP) {
      now = wake();
    }
    if (!isRead) {
      isRead = true;
    }
    return now;
  }

  boolean isAsleep() {
    return nowNanos == ASLEEP;
  }

  private synchronized long wake() {
    if (nowNanos == ASLEEP) {
      note(Long.MAX_VALUE);
      LockSupport.unpark(ticking);
    }
    if (ticking == null) {
      ticking = new Thread(this::run, "tierwise-clock");
      ticking.setDaemon(true);
      ticking.start();
    }
    return nowNanos;
  }

  /**
   * Writes the time down.
   *
   * @param countedNanosMax of what has passed since the last time
   */
  private void note(long countedNanosMax) {
    long system = systemNanos.getAsLong();
    long paused = pausedNanos.getAsLong();
    long passed = system - lastNanos;
    long counted = Math.min(passed - (paused - lastPausedNanos), countedNanosMax);
    leftOutNanos += passed - Math.max(0, counted);
    lastNanos = system;
    lastPausedNanos = paused;
    long now = system - leftOutNanos;
    nowNanos = now == ASLEEP ? 1 : now;
  }

  private void run() {
    int unread = 0;
    while (true) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
      unread = isRead ? 0 : unread + 1;
      isRead = false;
      if (unread > UNREAD_TICKS_MAX) {
        sleep();
        unread = 0;
      } else {
        note(TimeUnit.MILLISECONDS.toNanos(COUNTED_MILLIS_MAX));
      }
    }
  }

  /** Who reads from here on finds no old time but none, and wakes this thread. */
  private void sleep() {
    synchronized (this) {
      nowNanos = ASLEEP;
    }
    while (nowNanos == ASLEEP) {
      LockSupport.park(this);
    }
  }
}
