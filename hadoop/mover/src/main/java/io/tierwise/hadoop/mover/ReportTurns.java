package io.tierwise.hadoop.mover;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Which DataNodes are asked to report their blocks, and when: each once for a NameNode that is
 * active, and once more where its blocks wait on. A report counts only behind a heartbeat that was
 * sent since the failover, so that the first one may have come too soon. Not for many threads.
 */
final class ReportTurns {
  private static final int ASKS_MAX = 2;

  /** Own: heartbeats come every three seconds, and a report is worked through within some more. */
  static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Map<String, Asked> asked = new HashMap<>();
  private InetSocketAddress lastActive;

  /** How often a node was asked for the active NameNode, and when last. */
  private record Asked(int times, long nanos) {
    boolean mayBeAgain(long nowNanos) {
      return times < ASKS_MAX && nowNanos - nanos >= AGAIN_NANOS;
    }
  }

  /**
   * Those of the nodes that are asked now; they count as asked.
   *
   * @param active the NameNode that needs their reports
   */
  List<DatanodeInfo> due(InetSocketAddress active, DatanodeInfo[] nodes, long nowNanos) {
    if (!active.equals(lastActive)) {
      asked.clear();
      lastActive = active;
    }
    List<DatanodeInfo> due = new ArrayList<>();
    for (DatanodeInfo node : nodes) {
      Asked before = asked.get(node.getDatanodeUuid());
      if (before == null || before.mayBeAgain(nowNanos)) {
        int times = before == null ? 1 : before.times() + 1;
        asked.put(node.getDatanodeUuid(), new Asked(times, nowNanos));
        due.add(node);
      }
    }
    return due;
  }
}
