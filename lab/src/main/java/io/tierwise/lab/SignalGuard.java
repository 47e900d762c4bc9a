package io.tierwise.lab;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and a polite kill into an interrupt of the working thread, and keeps the JVM alive
 * until that thread has cleaned up.
 */
public final class SignalGuard implements AutoCloseable {
  private static final int CLEANUP_SECONDS_MAX = 90;

  private final CountDownLatch cleaned = new CountDownLatch(1);
  private final Runnable late;
  private final Thread hook;
  private volatile boolean signalled;

  /**
   * @param late says what is left behind when the working thread does not clean up in time
   */
  public SignalGuard(Runnable late) {
    this(late, () -> {});
  }

  /**
   * @param late says what is left behind when the working thread does not clean up in time
   * @param release ends what the working thread waits for and an interrupt would not reach
   */
  public SignalGuard(Runnable late, Runnable release) {
    this.late = late;
    Thread worker = Thread.currentThread();
    hook =
        new Thread(
            () -> {
              signalled = true;
              worker.interrupt();
              release.run();
              awaitCleanup();
            },
            "signal-guard");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Whether the user wants the work to end. */
  public boolean signalled() {
    return signalled;
  }

  private void awaitCleanup() {
    try {
      if (!cleaned.await(CLEANUP_SECONDS_MAX, TimeUnit.SECONDS)) {
        late.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The work is done or undone: the JVM may end. */
  @Override
  public void close() {
    cleaned.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      // The hook is what is running: it has just been released.
      return;
    }
  }
}
