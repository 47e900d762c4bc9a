package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.SlowReads;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.Time;

/**
 * Watches how fast a stream reads from the replica that it chose, for a strategy that cares. Its
 * owner locks.
 *
 * <p>Time counts while the reader waits for bytes, and no other: a slow reader is no slow replica.
 */
final class VisitWatch {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(SlowReads.LOOK_MILLIS);

  private final SlowReads slowReads;
  private final LocatedBlockOrder order;

  /** What was located last for the stream, the block in use among it unless others read too. */
  private LocatedBlocks located;

  private DatanodeInfo replica;
  private SlowReads.Source source;
  private long nextLookNanos;

  VisitWatch(SlowReads slowReads, LocatedBlockOrder order) {
    this.slowReads = slowReads;
    this.order = order;
  }

  void located(LocatedBlocks blocks) {
    located = blocks;
  }

  void began(DatanodeInfo chosen) {
    replica = chosen;
    source =
        chosen instanceof DatanodeInfoWithStorage stored ? order.source(stored, slowReads) : null;
    nextLookNanos = LOOK_NANOS;
  }

  void ended(long bytes, long nanos) {
    saw(bytes, nanos);
    source = null;
  }

  private void saw(long bytes, long nanos) {
    if (source != null) {
      slowReads.saw(source, (double) bytes, nanos / NANOS_PER_SECOND, Time.monotonicNow());
    }
  }

  /** Whether it is time to look, which is dearer. */
  boolean isDue(long nanos) {
    return source != null && nanos >= nextLookNanos;
  }

  /**
   * Whether the stream should choose anew; then its block has another replica first.
   *
   * @param bytes that came in {@code nanos}
   * @param position where the stream reads on
   */
  boolean leaves(
      ExtendedBlock block, Predicate<DatanodeInfo> usable, long bytes, long nanos, long position) {
    nextLookNanos = nanos + LOOK_NANOS;
    saw(bytes, nanos);
    LocatedBlock inUse = inUse(block);
    double seconds = nanos / NANOS_PER_SECOND;
    return inUse != null
        && order.leave(inUse, replica, usable, slowReads, (double) bytes, seconds, position);
  }

  private LocatedBlock inUse(ExtendedBlock block) {
    if (located == null || block == null) {
      return null;
    }
    for (LocatedBlock each : located.getLocatedBlocks()) {
      if (each.getBlock().equals(block)) {
        return each;
      }
    }
    // A block under construction stands apart, and changes: nobody leaves it.
    return null;
  }
}
