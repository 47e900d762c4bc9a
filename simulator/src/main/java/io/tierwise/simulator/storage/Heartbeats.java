package io.tierwise.simulator.storage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of transfers that nodes told in their last heartbeats. A heartbeat is no event: counts
 * are constant between two changes, so the count at the last heartbeat can be found later.
 *
 * <p>As in HDFS, a connection that a reader keeps for its next read counts as a transfer, though
 * nothing passes.
 */
final class Heartbeats {
  /** HDFS's default ({@code dfs.heartbeat.interval}). */
  private static final long INTERVAL_MILLIS = 3_000;

  /** HDFS's default ({@code dfs.client.socketcache.expiryMsec}). */
  private static final long KEPT_MILLIS = 3_000;

  private final int[] transfers;
  private final int[] reported;
  private final long[] seen;

  /** By node, the one that was kept first at the head; null where there was none. */
  private final List<ArrayDeque<Kept>> kept;

  /** An idle connection; equal to itself alone. */
  static final class Kept {
    private final int node;
    private final long untilMillis;

    private Kept(int node, long untilMillis) {
      this.node = node;
      this.untilMillis = untilMillis;
    }
  }

  /**
   * @param transfers by node, as they are now
   */
  Heartbeats(int[] transfers) {
    this.transfers = transfers;
    this.reported = new int[transfers.length];
    this.seen = new long[transfers.length];
    this.kept = new ArrayList<>(transfers.length);
    for (int node = 0; node < transfers.length; node++) {
      kept.add(null);
    }
  }

  /** To be called before a node's count changes. */
  void catchUp(int node, long nowMillis) {
    // Nodes start at different moments, and so do their heartbeats.
    long phase = INTERVAL_MILLIS * node / transfers.length;
    long beats = (nowMillis + phase) / INTERVAL_MILLIS;
    if (beats != seen[node]) {
      seen[node] = beats;
      reported[node] = transfers[node] + keptAt(node, beats * INTERVAL_MILLIS - phase);
    }
  }

  private int keptAt(int node, long millis) {
    ArrayDeque<Kept> idle = kept.get(node);
    if (idle == null) {
      return 0;
    }
    while (!idle.isEmpty() && idle.getFirst().untilMillis <= millis) {
      idle.removeFirst();
    }
    return idle.size();
  }

  /** A reader keeps its connection to the node. */
  Kept keep(int node, long nowMillis) {
    catchUp(node, nowMillis);
    if (kept.get(node) == null) {
      kept.set(node, new ArrayDeque<>());
    }
    Kept connection = new Kept(node, nowMillis + KEPT_MILLIS);
    kept.get(node).addLast(connection);
    return connection;
  }

  /** The connection is used again, or closed. */
  void release(Kept connection, long nowMillis) {
    catchUp(connection.node, nowMillis);
    kept.get(connection.node).remove(connection);
  }

  int reported(int node, long nowMillis) {
    catchUp(node, nowMillis);
    return reported[node];
  }
}
