package io.tierwise.hadoop.mover;

import java.util.HashMap;
import java.util.Map;

/**
 * Keeps moves to a rate, for each node and for all: a move of so many bytes puts off the next start
 * on its nodes by as long as the rate takes for them.
 *
 * <p>A DataNode moves a replica between its own volumes as fast as they can, and nobody can slow
 * that down: so what is bounded is when moves start, and the rate holds over the time of a few
 * moves, not inside one. Not for many threads.
 */
final class Pace {
  private static final double NANOS = 1e9;

  private final double nodeBytesPerSecond;
  private final double allBytesPerSecond;
  private final Map<String, Long> nextOfNode = new HashMap<>();
  private long nextOfAll = Long.MIN_VALUE;

  Pace(long nodeBytesPerSecond, long allBytesPerSecond) {
    this.nodeBytesPerSecond = nodeBytesPerSecond;
    this.allBytesPerSecond = allBytesPerSecond;
  }

  /** The earliest moment, on the caller's clock, at which a move between two nodes may start. */
  long startNanos(String node, String other) {
    long ofNodes =
        Math.max(
            nextOfNode.getOrDefault(node, Long.MIN_VALUE),
            nextOfNode.getOrDefault(other, Long.MIN_VALUE));
    return Math.max(nextOfAll, ofNodes);
  }

  /** Notes a move that starts now. */
  void start(long nowNanos, long bytes, String node, String other) {
    nextOfAll = Math.max(nextOfAll, nowNanos) + nanos(bytes, allBytesPerSecond);
    put(nowNanos, bytes, node);
    if (!node.equals(other)) {
      put(nowNanos, bytes, other);
    }
  }

  private void put(long nowNanos, long bytes, String node) {
    long next = Math.max(nextOfNode.getOrDefault(node, nowNanos), nowNanos);
    nextOfNode.put(node, next + nanos(bytes, nodeBytesPerSecond));
  }

  private static long nanos(long bytes, double bytesPerSecond) {
    return (long) Math.min(Long.MAX_VALUE / 4.0, bytes / bytesPerSecond * NANOS);
  }
}
