package io.tierwise.hadoop.mover;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The threads of a run; none of them keeps its process alive. */
final class RunThreads {
  private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private final List<Thread> threads = new ArrayList<>();
  private final Consumer<Throwable> broken;

  /**
   * @param broken is told, in its thread, what ends a task that nobody foresaw: else all would wait
   *     for ever for what the task has in hand
   */
  RunThreads(Consumer<Throwable> broken) {
    this.broken = broken;
  }

  /** A thread that has not started. */
  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  void start(Runnable task, String name) {
    Thread thread = daemon(guarded(task), name);
    threads.add(thread);
    thread.start();
  }

  /** The task, for a thread of somebody else. */
  Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (Throwable e) {
        broken.accept(e);
      }
    };
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
