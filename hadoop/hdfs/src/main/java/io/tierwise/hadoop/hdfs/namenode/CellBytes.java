package io.tierwise.hadoop.hdfs.namenode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The room that a volume must have to stand in a cell: for one block of the usual size, or of the
 * smallest size that managed files were written with in the last minutes. Safe for many threads.
 *
 * <p>Own: smaller blocks count by powers of two, so that few sizes make few indexes; and they are
 * forgotten after {@link #MEMORY_NANOS}, so that one small file does not leave cells full of
 * volumes that take no usual block.
 */
final class CellBytes {
  static final long MEMORY_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A size that was noted this recently is not noted again, which saves a write for each block. */
  private static final long NOTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NEVER = Long.MIN_VALUE;

  private final long usual;
  private final long least;
  private final long startNanos;

  /** By the exponent of two: when a block of that size was last written, since the start. */
  private final AtomicLongArray lastNanos = new AtomicLongArray(Long.SIZE);

  /**
   * @param usual the usual block size
   * @param least the smallest block size that HDFS accepts
   */
  CellBytes(long usual, long least, long nowNanos) {
    this.usual = usual;
    this.least = Math.max(1, least);
    startNanos = nowNanos;
    for (int i = 0; i < Long.SIZE; i++) {
      lastNanos.set(i, NEVER);
    }
  }

  /** Whether a block of that size is of no concern here. */
  boolean isUsual(long blockBytes) {
    return blockBytes >= usual || usual <= least;
  }

  /** Notes that a managed file is written with blocks of that size. */
  void note(long blockBytes, long nowNanos) {
    if (isUsual(blockBytes)) {
      return;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, blockBytes));
    long now = nowNanos - startNanos;
    long last = lastNanos.get(exponent);
    if (last == NEVER || now - last >= NOTED_NANOS) {
      lastNanos.set(exponent, now);
    }
  }

  /** The room at that moment. */
  long at(long nowNanos) {
    long now = nowNanos - startNanos;
    for (int exponent = 0; 1L << exponent < usual; exponent++) {
      long last = lastNanos.get(exponent);
      if (last != NEVER && now - last < MEMORY_NANOS) {
        return Math.min(usual, Math.max(least, 1L << exponent));
      }
    }
    return usual;
  }
}
