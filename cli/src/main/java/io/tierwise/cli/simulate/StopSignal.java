package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Output;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and a polite kill: runs are asked to end, and the JVM waits until what they brought is
 * written.
 */
public final class StopSignal implements AutoCloseable {
  private static final int WRITING_SECONDS_MAX = 60;

  private final CountDownLatch written = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "simulate-stop");
  private final Output output;
  private volatile boolean stopped;

  /**
   * @param output where it says that the runs did not end
   */
  public StopSignal(Output output) {
    this.output = output;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void stopAndWait() {
    stopped = true;
    try {
      if (!written.await(WRITING_SECONDS_MAX, TimeUnit.SECONDS)) {
        output.say("the runs did not end in time: nothing was written");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the user wants the runs to end. */
  public boolean stopped() {
    return stopped;
  }

  /** All is written: the JVM may end. */
  @Override
  public void close() {
    written.countDown();
    if (!stopped) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException alreadyShuttingDown) {
        // The hook has just been released.
        return;
      }
    }
  }
}
