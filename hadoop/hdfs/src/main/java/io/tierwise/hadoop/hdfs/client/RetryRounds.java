package io.tierwise.hadoop.hdfs.client;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;

/**
 * The rounds over all replicas of a block in which one thread got nothing: bounds what they take
 * together, where the rounds themselves are long.
 *
 * <p>{@link RetryPatience} has a reader wait shortly and try often. A node that is busy says so at
 * once; but one that hangs costs the client's timeout (a minute) in every round. So a reader gives
 * up as soon as it has tried for longer than a stock reader could at the longest: as many rounds as
 * stock makes, each like the longest so far, and stock's longest waits.
 */
final class RetryRounds {
  private static final long WAITS_NANOS_MAX =
      TimeUnit.MILLISECONDS.toNanos(
          RetryPatience.mostMillis(RetryPatience.WINDOW_STOCK, RetryPatience.ROUNDS_STOCK));

  /** Stock gives up when the round after the last of its waits has failed as well. */
  private static final long ROUNDS_STOCK = RetryPatience.ROUNDS_STOCK + 1;

  private final LongSupplier clockNanos;
  private WeakReference<DFSInputStream> stream = new WeakReference<>(null);
  private long bytes;
  private long beganNanos;
  private long roundNanos;
  private long longestNanos;
  private int failedRounds;
  private boolean gaveUp;

  RetryRounds(LongSupplier clockNanos) {
    this.clockNanos = clockNanos;
  }

  /**
   * A stream looks for a replica. The bytes that it has read so far tell whether it got any since.
   */
  void looks(DFSInputStream by) {
    looks(by, by.getReadStatistics().getTotalBytesRead());
  }

  void looks(DFSInputStream by, long bytesRead) {
    if (bytesRead != bytes || !stream.refersTo(by)) {
      stream = new WeakReference<>(by);
      bytes = bytesRead;
      begin();
    }
  }

  private boolean isOver() {
    DFSInputStream reading = stream.get();
    return reading != null && failed(HdfsInternals.failedRounds(reading));
  }

  private void begin() {
    beganNanos = clockNanos.getAsLong();
    roundNanos = beganNanos;
    longestNanos = 0;
    failedRounds = 0;
    gaveUp = false;
  }

  /**
   * The stream that looked last has gone through all replicas.
   *
   * @param failedBefore rounds that failed in the same read before
   * @return whether it is to give up now
   */
  boolean failed(int failedBefore) {
    if (failedBefore == 0 && failedRounds > 0) {
      begin();
    }
    failedRounds++;
    long now = clockNanos.getAsLong();
    longestNanos = Math.max(longestNanos, now - roundNanos);
    roundNanos = now;
    // Hadoop's stream asks twice before a read fails.
    gaveUp |= now - beganNanos > ROUNDS_STOCK * longestNanos + WAITS_NANOS_MAX;
    return gaveUp;
  }

  /**
   * Hadoop's settings of a client whose streams ask {@code rounds} each time that a round failed.
   */
  static DfsClientConf bounding(Configuration conf, ThreadLocal<RetryRounds> rounds) {
    return new DfsClientConf(conf) {
      @Override
      public int getMaxBlockAcquireFailures() {
        return rounds.get().isOver() ? 0 : super.getMaxBlockAcquireFailures();
      }
    };
  }
}
