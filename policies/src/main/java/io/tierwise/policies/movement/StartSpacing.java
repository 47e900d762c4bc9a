package io.tierwise.policies.movement;

/**
 * Keeps the starts of moves apart, whatever nodes they are of. A node's next start counts from its
 * last one, so that nodes that begin together would stay in step: whatever serves them all, such as
 * the NameNode or a reader, would meet all their moves at once, and then none.
 *
 * <p>g = 0.8 / (n m): seconds between two starts, n nodes that have moves to make, m moves that
 * each of them begins in a second.
 *
 * <p>Own: at even distances all starts would be 1 / (n m) apart. A fifth less lets nodes that were
 * held up make up for it, so that none makes fewer moves than its own rate allows. Not for many
 * threads.
 */
final class StartSpacing {
  private static final double OF_EVEN_DISTANCE = 0.8;

  /**
   * Own: a thread on a busy processor rarely wakes up later, and in a large cluster many starts are
   * due by then. On nine nodes at five moves a second it is a little more than half of g.
   */
  private static final long LATE_NANOS_MAX = 10_000_000L;

  private final double nodeNanos;

  /** When the last start was due. */
  private long dueNanos = Long.MIN_VALUE;

  /**
   * @param nodeMovesPerSecond that a node begins; 0 for any number, so that nothing is kept apart
   */
  StartSpacing(int nodeMovesPerSecond) {
    nodeNanos = nodeMovesPerSecond == 0 ? 0 : OF_EVEN_DISTANCE * 1e9 / nodeMovesPerSecond;
  }

  /**
   * The earliest moment, on the caller's clock, at which the next move may start.
   *
   * @param nodes that have moves to make; too many make starts denser, and hold none up
   */
  long startNanos(int nodes) {
    return dueNanos + (long) (nodeNanos / Math.max(1, nodes));
  }

  /** Notes a move that starts now. */
  void start(long nowNanos, int nodes) {
    dueNanos = Math.max(startNanos(nodes), nowNanos - LATE_NANOS_MAX);
  }
}
