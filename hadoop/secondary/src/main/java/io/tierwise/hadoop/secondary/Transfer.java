package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.hdfs.secondary.ChunkSums;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** Copies bytes at a bounded rate, sums them up on their way, and ends when it is told to. */
final class Transfer {
  private static final int BUFFER_BYTES = 128 << 10;

  private final DataTransferThrottler throttle;
  private final Listener.Step progress;
  private final BooleanSupplier ended;
  private boolean stopped;

  /**
   * @param ended is asked at each piece, and ends the copy at hand
   */
  Transfer(long bytesPerSecondMax, Listener.Step progress, BooleanSupplier ended) {
    throttle = new DataTransferThrottler(bytesPerSecondMax);
    this.progress = progress;
    this.ended = ended;
  }

  /** Ends the run, as a signal does. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped || ended.getAsBoolean();
  }

  /**
   * Ends the file at hand when the run is to end.
   *
   * @throws InterruptedIOException then
   */
  void requireGoingOn() throws InterruptedIOException {
    if (isStopped()) {
      throw new InterruptedIOException("stopped");
    }
  }

  /**
   * Copies until the end, which does not close either.
   *
   * @param to null to read only
   */
  ChunkSums copy(InputStream from, OutputStream to, int chunkBytes) throws IOException {
    ChunkSums sums = new ChunkSums(chunkBytes);
    byte[] buffer = new byte[BUFFER_BYTES];
    int count = from.read(buffer);
    while (count >= 0) {
      requireGoingOn();
      throttle.throttle(count);
      sums.update(buffer, 0, count);
      if (to != null) {
        to.write(buffer, 0, count);
      }
      progress.add(count);
      count = from.read(buffer);
    }
    return sums;
  }
}
