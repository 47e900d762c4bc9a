package io.tierwise.policies.movement;

/**
 * Keeps moves to the rates of the limits: of each node, in bytes and in moves, of each volume, and
 * of all.
 *
 * <p>A DataNode moves a replica between its own volumes as fast as they can, and nobody can slow
 * that down: so what is bounded is when moves start, and a rate holds over the time of a few moves,
 * not inside one. Not for many threads.
 *
 * @param <P> what the host knows nodes and volumes by
 */
final class Pace<P> {
  private static final String ALL = "";

  private final RateLimit<P> nodes;
  private final RateLimit<P> starts;
  private final RateLimit<P> volumes;
  private final RateLimit<String> all;

  Pace(MovementLimits limits) {
    nodes = new RateLimit<>(limits.nodeBytesPerSecond());
    int perSecond = limits.nodeMovesPerSecond();
    starts = new RateLimit<>(perSecond == 0 ? Long.MAX_VALUE : perSecond);
    volumes = new RateLimit<>(limits.volumeBytesPerSecond());
    all = new RateLimit<>(limits.allBytesPerSecond());
  }

  /** The earliest moment, on the caller's clock, at which a move may start. */
  long startNanos(MoveClaim<P> move) {
    long ofNodes = nodes.startNanos(move.source(), move.to());
    long ofStarts = starts.startNanos(move.source(), move.to());
    long ofVolumes = volumes.startNanos(move.sourceVolume(), move.toVolume());
    return Math.max(Math.max(all.startNanos(ALL, ALL), ofStarts), Math.max(ofNodes, ofVolumes));
  }

  /** Notes a move that starts now. */
  void start(long nowNanos, MoveClaim<P> move) {
    nodes.start(nowNanos, move.bytes(), move.source(), move.to());
    starts.start(nowNanos, 1, move.source(), move.to());
    volumes.start(nowNanos, move.bytes(), move.sourceVolume(), move.toVolume());
    all.start(nowNanos, move.bytes(), ALL, ALL);
  }

  /** Holds a node to a share of its rate, above 0 and up to 1, from now on. */
  void setShare(long nowNanos, P node, double share) {
    nodes.setShare(nowNanos, node, share);
    starts.setShare(nowNanos, node, share);
  }

  /** Holds all moves together to a share of their rate. */
  void setShareOfAll(long nowNanos, double share) {
    all.setShare(nowNanos, ALL, share);
  }
}
