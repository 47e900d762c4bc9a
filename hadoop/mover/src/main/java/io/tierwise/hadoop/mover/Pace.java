package io.tierwise.hadoop.mover;

/**
 * Keeps moves to the rates of the settings: of each node, of each volume, and of all.
 *
 * <p>A DataNode moves a replica between its own volumes as fast as they can, and nobody can slow
 * that down: so what is bounded is when moves start, and a rate holds over the time of a few moves,
 * not inside one. Not for many threads.
 */
final class Pace {
  private static final String ALL = "";

  private final RateLimit nodes;
  private final RateLimit volumes;
  private final RateLimit all;

  Pace(MoverSettings settings) {
    nodes = new RateLimit(settings.nodeBytesPerSecond());
    volumes = new RateLimit(settings.volumeBytesPerSecond());
    all = new RateLimit(settings.allBytesPerSecond());
  }

  /** The earliest moment, on the caller's clock, at which a move may start. */
  long startNanos(PlannedMove move) {
    Endpoint source = move.source();
    Endpoint to = move.to();
    long ofNodes = nodes.startNanos(source.nodeId(), to.nodeId());
    long ofVolumes = volumes.startNanos(source.storageId(), to.storageId());
    return Math.max(all.startNanos(ALL, ALL), Math.max(ofNodes, ofVolumes));
  }

  /** Notes a move that starts now. */
  void start(long nowNanos, PlannedMove move) {
    Endpoint source = move.source();
    Endpoint to = move.to();
    nodes.start(nowNanos, move.bytes(), source.nodeId(), to.nodeId());
    volumes.start(nowNanos, move.bytes(), source.storageId(), to.storageId());
    all.start(nowNanos, move.bytes(), ALL, ALL);
  }
}
