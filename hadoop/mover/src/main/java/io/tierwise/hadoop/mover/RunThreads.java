package io.tierwise.hadoop.mover;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The threads of a run; none of them keeps its process alive. */
final class RunThreads {
  private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final List<Thread> threads = new ArrayList<>();

  /** A thread that has not started. */
  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  void start(Runnable task, String name) {
    Thread thread = daemon(task, name);
    threads.add(thread);
    thread.start();
  }

  /** Interrupts all and waits for their ends, so that the report has what they were at. */
  void end() {
    threads.forEach(Thread::interrupt);
    long until = System.nanoTime() + END_NANOS_MAX;
    boolean interrupted = Thread.interrupted();
    for (Thread thread : threads) {
      try {
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        thread.join(Math.max(1, left));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
