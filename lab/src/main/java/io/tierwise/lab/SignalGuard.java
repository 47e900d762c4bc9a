package io.tierwise.lab;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C and a polite kill into an interrupt of the working thread, or into a flag that it
 * asks for, and keeps the JVM alive until that thread has cleaned up.
 */
public final class SignalGuard implements AutoCloseable {
  private static final int CLEANUP_SECONDS_MAX = 90;
  private static final int ENDING_SECONDS_MAX = 60;

  private final CountDownLatch cleaned = new CountDownLatch(1);
  private final Runnable late;
  private final int secondsMax;
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
    this(interruptOf(Thread.currentThread(), release), late, CLEANUP_SECONDS_MAX);
  }

  private SignalGuard(Runnable release, Runnable late, int secondsMax) {
    this.late = late;
    this.secondsMax = secondsMax;
    hook =
        new Thread(
            () -> {
              signalled = true;
              release.run();
              awaitCleanup();
            },
            "signal-guard");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private static Runnable interruptOf(Thread worker, Runnable release) {
    return () -> {
      worker.interrupt();
      release.run();
    };
  }

  /**
   * One that interrupts nobody: the work asks {@link #signalled} and ends by itself.
   *
   * @param late says that it did not end in time
   */
  public static SignalGuard asking(Runnable late) {
    return new SignalGuard(() -> {}, late, ENDING_SECONDS_MAX);
  }

  /**
   * One that interrupts nobody, for work that ends by itself once it is asked to.
   *
   * @param late says what is left behind when it does not end in time
   * @param ask asks it
   */
  public static SignalGuard telling(Runnable late, Runnable ask) {
    return new SignalGuard(ask, late, CLEANUP_SECONDS_MAX);
  }

  /** Whether the user wants the work to end. */
  public boolean signalled() {
    return signalled;
  }

  private void awaitCleanup() {
    try {
      if (!cleaned.await(secondsMax, TimeUnit.SECONDS)) {
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
