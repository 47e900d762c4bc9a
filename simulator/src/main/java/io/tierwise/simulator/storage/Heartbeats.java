package io.tierwise.simulator.storage;

/**
 * What nodes said of their transfers in their last heartbeats. Nothing happens at a heartbeat:
 * between two changes a count is what it is, so what was said can be told later.
 */
final class Heartbeats {
  /** HDFS's default ({@code dfs.heartbeat.interval}). */
  private static final long INTERVAL_MILLIS = 3_000;

  private final int[] transfers;
  private final int[] reported;
  private final long[] seen;

  /**
   * @param transfers by node, as they are now
   */
  Heartbeats(int[] transfers) {
    this.transfers = transfers;
    this.reported = new int[transfers.length];
    this.seen = new long[transfers.length];
  }

  /** To be called before a node's count changes. */
  void catchUp(int node, long nowMillis) {
    // Nodes start at different moments, and so do their heartbeats.
    long phase = INTERVAL_MILLIS * node / transfers.length;
    long beats = (nowMillis + phase) / INTERVAL_MILLIS;
    if (beats != seen[node]) {
      seen[node] = beats;
      reported[node] = transfers[node];
    }
  }

  int reported(int node, long nowMillis) {
    catchUp(node, nowMillis);
    return reported[node];
  }
}
