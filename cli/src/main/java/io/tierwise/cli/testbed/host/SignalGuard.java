package io.tierwise.cli.testbed.host;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and a polite kill into an interrupt of the working thread, and keeps the JVM alive
 * until that thread has cleaned up.
 */
public final class SignalGuard implements AutoCloseable {
  private static final int CLEANUP_SECONDS_MAX = 90;

  private final CountDownLatch cleaned = new CountDownLatch(1);
  private final Thread hook;

  public SignalGuard() {
    this(() -> {});
  }

  /**
   * @param release ends what the working thread waits for and an interrupt would not reach
   */
  public SignalGuard(Runnable release) {
    Thread worker = Thread.currentThread();
    hook =
        new Thread(
            () -> {
              worker.interrupt();
              release.run();
              awaitCleanup();
            },
            "testbed-cleanup");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void awaitCleanup() {
    try {
      if (!cleaned.await(CLEANUP_SECONDS_MAX, TimeUnit.SECONDS)) {
        System.err.println("tierwise testbed: it was not cleaned up: run 'tierwise testbed down'");
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
