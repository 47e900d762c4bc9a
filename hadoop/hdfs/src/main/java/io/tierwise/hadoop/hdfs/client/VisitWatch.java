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
 * <p>Only time in which the reader waits for bytes counts: a slow reader does not make a replica
 * slow.
 */
final class VisitWatch {
  private static final double NANOS_PER_SECOND = 1e9;

  private final SlowReads slowReads;
  private final LocatedBlockOrder order;

  /**
   * The blocks located last for the stream; the one in use is among them unless others read too.
   */
  private LocatedBlocks located;

  private DatanodeInfo replica;
  private SlowReads.Source source;
  private long device;
  private long lastLookNanos;
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
    source = null;
    if (chosen instanceof DatanodeInfoWithStorage stored) {
      source = order.source(stored, slowReads);
      device = order.tiers().of(stored).number();
    }
    lastLookNanos = 0;
    // How long the block is, and so when to look, is not known yet.
    nextLookNanos = TimeUnit.MILLISECONDS.toNanos(SlowReads.LOOK_MILLIS_MIN);
  }

  void ended(long bytes, long nanos) {
    if (source != null) {
      SlowReads.Progress read = progress(bytes, nanos);
      long nowMillis = Time.monotonicNow();
      slowReads.saw(read, nowMillis);
      slowReads.tell(device, read, nowMillis);
    }
    source = null;
  }

  private SlowReads.Progress progress(long bytes, long nanos) {
    return new SlowReads.Progress(source, (double) bytes, nanos / NANOS_PER_SECOND);
  }

  /** Whether it is time to look. A look costs more than this question. */
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
    LocatedBlock inUse = inUse(block);
    if (inUse == null) {
      nextLookNanos = nanos + TimeUnit.MILLISECONDS.toNanos(SlowReads.LOOK_MILLIS_MAX);
      return false;
    }
    long bytesLeft = inUse.getStartOffset() + inUse.getBlockSize() - position;
    double bytesInAll = (double) (bytes + bytesLeft);
    long lookNanos = TimeUnit.MILLISECONDS.toNanos(SlowReads.lookMillis(source, bytesInAll));
    if (nanos < lastLookNanos + lookNanos) {
      nextLookNanos = lastLookNanos + lookNanos;
      return false;
    }
    lastLookNanos = nanos;
    nextLookNanos = nanos + lookNanos;
    return order.leave(inUse, replica, usable, slowReads, progress(bytes, nanos), bytesLeft);
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
