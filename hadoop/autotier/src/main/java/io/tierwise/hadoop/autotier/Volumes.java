package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.TierLoad;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * The devices of the fast tier and of the slow one, as what comes there needs to know them.
 *
 * @param fastRoomBytes that moves may bring to the fast tier
 * @param copyBytesPerSecond that moves may bring there
 */
record Volumes(
    int fastCount, int slowCount, long fastRoomBytes, double copyBytesPerSecond, TierLoad load) {
  /** Asks the NameNode, who tells HDFS's superuser. */
  static Volumes of(MoverCluster cluster, AutotierSettings settings, Tier fast, Tier slow)
      throws IOException {
    List<ClusterVolumes.Volume> all =
        ClusterVolumes.read(cluster.fs(), cluster.tiers()).volumes().stream()
            .filter(ClusterVolumes.Volume::inService)
            .toList();
    MovementLimits limits = settings.moving().limits();
    List<ClusterVolumes.Volume> ofFast = of(all, fast);
    long nodes = ofFast.stream().map(ClusterVolumes.Volume::nodeName).distinct().count();
    double room =
        ofFast.stream()
            .mapToDouble(
                volume ->
                    Math.max(
                        0,
                        volume.remainingBytes() - limits.keptFreeShare() * volume.capacityBytes()))
            .sum();
    Map<String, Double> streams = streams(cluster, all);
    return new Volumes(
        ofFast.size(),
        of(all, slow).size(),
        (long) room,
        Math.min((double) limits.allBytesPerSecond(), (double) limits.nodeBytesPerSecond() * nodes),
        new TierLoad(mean(of(all, slow), streams), mean(ofFast, streams)));
  }

  private static List<ClusterVolumes.Volume> of(List<ClusterVolumes.Volume> all, Tier tier) {
    return all.stream().filter(volume -> volume.tier() == tier.index()).toList();
  }

  private static double mean(List<ClusterVolumes.Volume> volumes, Map<String, Double> streams) {
    return volumes.stream()
        .mapToDouble(volume -> streams.getOrDefault(volume.nodeName(), 0.0))
        .average()
        .orElse(0);
  }

  /**
   * Transfers of each volume, by node. Own: a DataNode tells of all its volumes together, so each
   * is taken to have an equal part.
   */
  private static Map<String, Double> streams(MoverCluster cluster, List<ClusterVolumes.Volume> all)
      throws IOException {
    Map<String, Integer> volumes = new HashMap<>();
    all.forEach(volume -> volumes.merge(volume.nodeName(), 1, Integer::sum));
    Map<String, Double> streams = new HashMap<>();
    for (DatanodeInfo node : cluster.fs().getDataNodeStats(DatanodeReportType.LIVE)) {
      String name = node.getHostName() + ":" + node.getXferPort();
      // Connections that only wait do not count, as with moves that yield.
      double busy = Math.max(0, node.getXceiverCount() - MovementLimits.YIELD_ABOVE);
      streams.put(name, busy / Math.max(1, volumes.getOrDefault(name, 1)));
    }
    return streams;
  }
}
