package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.security.AccessControlException;

/**
 * Looks until HDFS has done its part, less often the longer that takes. A look that fails is made
 * again: the NameNode may fail over meanwhile.
 */
final class HdfsWait {
  /** Own: copies of small blocks take about a second. */
  static final long PAUSE_MILLIS_MIN = 500;

  /** Own: a look goes through all files. */
  static final long PAUSE_MILLIS_MAX = 5_000;

  private final LongSupplier nanoTime;
  private final Sleeper sleeper;

  /** Counts blocks that are not yet as they should be. */
  @FunctionalInterface
  interface Look {
    long left() throws IOException;
  }

  /** Lets time pass. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(long millis) throws InterruptedException;
  }

  /**
   * The last look of a wait.
   *
   * @param blocks that are left; meaningless where it is not known
   * @param unknown why it is not known; null where it is
   * @param waited whether there were looks before
   */
  record Left(long blocks, IOException unknown, boolean waited) {
    /** Whether another look would say the same. */
    private boolean isFinal() {
      return unknown == null
          ? blocks == 0
          : isOfOlderPlugin()
              || unknown instanceof FileNotFoundException
              || unknown instanceof AccessControlException;
    }

    boolean isOfOlderPlugin() {
      return unknown instanceof NameNodePlugin.OlderPlugin;
    }
  }

  HdfsWait(LongSupplier nanoTime, Sleeper sleeper) {
    this.nanoTime = nanoTime;
    this.sleeper = sleeper;
  }

  /** In real time. */
  static HdfsWait real() {
    return new HdfsWait(System::nanoTime, Thread::sleep);
  }

  /** Looks at least once, and for the last time at the end. */
  Left until(long endNanos, Look look) throws InterruptedIOException {
    long pause = PAUSE_MILLIS_MIN;
    boolean waited = false;
    while (true) {
      Left left = look(look, waited);
      long rest = endNanos - nanoTime.getAsLong();
      if (left.isFinal() || rest <= 0) {
        return left;
      }
      sleep(Math.min(pause, TimeUnit.NANOSECONDS.toMillis(rest) + 1));
      waited = true;
      pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
    }
  }

  private static Left look(Look look, boolean waited) throws InterruptedIOException {
    try {
      return new Left(look.left(), null, waited);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw ended();
      }
      return new Left(0, e, waited);
    }
  }

  private void sleep(long millis) throws InterruptedIOException {
    try {
      sleeper.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ended();
    }
  }

  private static InterruptedIOException ended() {
    return new InterruptedIOException("ended while it waited");
  }
}
