package io.tierwise.hadoop.mover;

import io.tierwise.core.view.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Nodes that could not be reached: they get no blocks, and none is read there, until the NameNode
 * has heard of them again. One that starts again, or a network that is away for half a minute, is
 * no loss for the rest of a run. Guarded by its planner.
 */
final class LostNodes {
  /** Own: a connection that nobody takes ends after as long. */
  static final long AWAY_NANOS_MIN = TimeUnit.SECONDS.toNanos(10);

  /** Own: a node that its NameNode hears, and the mover cannot reach, costs few tries. */
  private static final long AWAY_NANOS_MAX = TimeUnit.MINUTES.toNanos(5);

  private final long patienceNanos;
  private final Map<String, Lost> nodes = new LinkedHashMap<>();

  /**
   * @param patienceNanos for which blocks wait for a node that nobody can stand for
   */
  LostNodes(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /**
   * @param times that it was lost since a move with it was made
   * @param heardMillis its last heartbeat in the first view that was read since, by the NameNode's
   *     clock: one that the NameNode had before says nothing
   * @param seen whether such a view was read
   * @param back whether it is tried again
   */
  private record Lost(int times, long sinceNanos, long heardMillis, boolean seen, boolean back) {
    /** Twice as long each time. */
    boolean isAway(long nowNanos) {
      long away = Math.min(AWAY_NANOS_MAX, AWAY_NANOS_MIN << Math.min(times - 1, 10));
      return nowNanos - sinceNanos < away;
    }
  }

  /** A node cannot be reached; several moves may say so of one loss. */
  void lost(Endpoint endpoint, ClusterSnapshot cluster, long nowNanos) {
    String node = endpoint.nodeId();
    Lost old = nodes.get(node);
    if (old == null || old.back()) {
      int times = old == null ? 1 : old.times() + 1;
      long heard = cluster.heardMillis(node).orElse(endpoint.node().getLastUpdateMonotonic());
      nodes.put(node, new Lost(times, nowNanos, heard, false, false));
    }
    cluster.refuse(node, Refusal.DEAD);
  }

  /** A move with the node was made. */
  void made(String node) {
    Lost old = nodes.get(node);
    if (old != null && old.back()) {
      nodes.remove(node);
    }
  }

  /** Has the nodes refused in a new view whose NameNode has not heard of them since. */
  void refuseIn(ClusterSnapshot cluster, long nowNanos) {
    nodes.replaceAll((node, lost) -> lost.back() ? lost : look(node, lost, cluster, nowNanos));
    nodes.forEach(
        (node, lost) -> {
          if (!lost.back()) {
            cluster.refuse(node, Refusal.DEAD);
          }
        });
  }

  private static Lost look(String node, Lost lost, ClusterSnapshot cluster, long nowNanos) {
    if (!lost.seen()) {
      long first = cluster.heardMillis(node).orElse(lost.heardMillis());
      return new Lost(lost.times(), lost.sinceNanos(), first, true, false);
    }
    // Another value, and not a greater one: after a failover another clock tells it.
    boolean heard = cluster.heardMillis(node).orElse(lost.heardMillis()) != lost.heardMillis();
    boolean back = heard && !lost.isAway(nowNanos);
    return new Lost(lost.times(), lost.sinceNanos(), lost.heardMillis(), true, back);
  }

  /** Whether a node is refused at this moment. */
  boolean any() {
    return nodes.values().stream().anyMatch(lost -> !lost.back());
  }

  /** Whether a node is refused that is waited for. */
  boolean anyIsWaitedFor(long nowNanos) {
    return nodes.values().stream()
        .anyMatch(lost -> !lost.back() && nowNanos - lost.sinceNanos() < patienceNanos);
  }
}
