package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * DataNodes' reports of each other's speed, where an administrator switched them on ({@code
 * dfs.datanode.peer.stats.enabled}): those that are slow, by how long packets take to them. Stands
 * here because Hadoop shows the figures to its own package only.
 */
public final class PeerReports {
  private PeerReports() {}

  /**
   * By UUID, of each node that was reported slow, the share of its peers' usual speed: the median
   * latency of all peers by its own; the median of what its reporters say. Hadoop forgets a report
   * after three intervals ({@code dfs.datanode.outliers.report.interval}).
   */
  public static Map<String, Double> sharesOfUsualSpeed(DatanodeManager nodes) {
    SlowPeerTracker tracker = nodes.getSlowPeerTracker();
    if (tracker == null || !tracker.isSlowPeerTrackerEnabled()) {
      return Map.of();
    }
    Map<String, SortedSet<SlowPeerLatencyWithReportingNode>> reports =
        tracker.getReportsForAllDataNodes();
    if (reports.isEmpty()) {
      return Map.of();
    }
    Map<String, String> uuids = uuidsByAddress(nodes);
    Map<String, Double> shares = new HashMap<>();
    reports.forEach(
        (address, reporters) -> {
          String uuid = uuids.get(address);
          double share = medianShare(reporters);
          if (uuid != null && share > 0) {
            shares.put(uuid, share);
          }
        });
    return shares;
  }

  /** Peers are named by the address of their web server; by others in other versions. */
  private static Map<String, String> uuidsByAddress(DatanodeManager nodes) {
    Map<String, String> uuids = new HashMap<>();
    for (DatanodeDescriptor node : nodes.getDatanodeListForReport(DatanodeReportType.ALL)) {
      List<String> addresses =
          List.of(
              node.getInfoAddr(),
              node.getInfoSecureAddr(),
              node.getXferAddr(),
              node.getIpAddr() + ":" + node.getIpcPort());
      addresses.forEach(address -> uuids.put(address, node.getDatanodeUuid()));
    }
    return uuids;
  }

  private static double medianShare(SortedSet<SlowPeerLatencyWithReportingNode> reporters) {
    double[] shares =
        reporters.stream()
            .filter(report -> report.getMedianLatency() != null)
            .filter(report -> report.getReportedLatency() != null)
            .mapToDouble(report -> report.getMedianLatency() / report.getReportedLatency())
            .filter(share -> share > 0 && share < 1)
            .sorted()
            .toArray();
    return shares.length == 0
        ? 0
        : Arrays.stream(shares).skip(shares.length / 2).findFirst().getAsDouble();
  }
}
