package io.tierwise.lab.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads blocks at random, one after the other, and checks every byte; remembers how long each took.
 */
final class MovementReader implements Runnable {
  private final FileSystem fs;
  private final MovementData data;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Read> reads = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private volatile boolean stopped;
  private IOException failure;

  /**
   * One read of a block.
   *
   * @param atSeconds when it began, since the reader did
   */
  record Read(double atSeconds, double seconds) {}

  MovementReader(FileSystem fs, MovementData data) {
    this.fs = fs;
    this.data = data;
  }

  /** Since the reader began. */
  double nowSeconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  @Override
  public void run() {
    byte[] block = new byte[MovementData.BLOCK_BYTES];
    try {
      while (!stopped) {
        int file = random.nextInt(data.files());
        int index = random.nextInt(MovementData.BLOCKS_PER_FILE);
        double at = nowSeconds();
        try (FSDataInputStream in = fs.open(new Path(data.path(file)))) {
          in.readFully((long) index * block.length, block);
        }
        double seconds = nowSeconds() - at;
        if (!Arrays.equals(block, MovementData.block(file, index))) {
          throw new IOException("block " + index + " of " + data.path(file) + " has other bytes");
        }
        synchronized (this) {
          reads.add(new Read(at, seconds));
        }
      }
    } catch (IOException e) {
      failed(e);
    }
  }

  private synchronized void failed(IOException e) {
    failure = e;
  }

  void stop() {
    stopped = true;
  }

  /** All reads so far, in the order in which they began. */
  synchronized List<Read> reads() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return List.copyOf(reads);
  }
}
