package io.tierwise.benchmarks.movement;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that moves nothing and takes as much processor time as moves would, at their rate: the
 * null model of a mover. A reader beside it loses as much as sharing processors costs.
 */
final class BusyThread implements AutoCloseable {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final long eachNanos;
  private final long everyNanos;
  private final Thread thread = new Thread(this::run, "busy");
  private volatile boolean over;

  /**
   * @param each processor seconds of a move
   * @param every seconds from a move's start to the next one's
   */
  BusyThread(double each, double every) {
    eachNanos = (long) (each * 1e9);
    everyNanos = (long) (every * 1e9);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long next = System.nanoTime();
    while (!over) {
      long end = THREADS.getCurrentThreadCpuTime() + eachNanos;
      while (THREADS.getCurrentThreadCpuTime() < end) {
        Thread.onSpinWait();
      }
      next += everyNanos;
      LockSupport.parkNanos(Math.max(0, next - System.nanoTime()));
    }
  }

  @Override
  public void close() {
    over = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
