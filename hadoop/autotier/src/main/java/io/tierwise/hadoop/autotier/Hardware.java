package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.AccessControlException;

/**
 * The room and the nodes of a cluster, as far as this user is told.
 *
 * @param isSuperuser whether HDFS lets this user change every file
 * @param usualReplicas the NameNode's default
 * @param replicasMax that a file can have now, on the nodes in service
 * @param replicasEver that it could have, were all nodes that HDFS knows in service
 * @param roomBytes that additional replicas may take
 * @param tierRoom bytes that moves may bring to each tier, by its name; empty when this user may
 *     not know
 */
record Hardware(
    boolean isSuperuser,
    int usualReplicas,
    int replicasMax,
    int replicasEver,
    long roomBytes,
    Map<String, Long> tierRoom) {
  /**
   * Asks the cluster.
   *
   * @throws OperatorException when this user could change everything and nobody said so, or when
   *     nobody says how many replicas are possible
   */
  static Hardware of(MoverCluster cluster, AutotierSettings settings) throws IOException {
    int usual = cluster.fs().getServerDefaults(new Path("/")).getReplication();
    double keptFree = settings.moving().limits().keptFreeShare();
    FsStatus status = cluster.fs().getStatus();
    long room = Math.max(0, status.getRemaining() - (long) (keptFree * status.getCapacity()));
    List<ClusterVolumes.Volume> volumes = volumes(cluster);
    if (volumes == null) {
      if (settings.replicasMax() == 0) {
        throw OperatorException.badInput(
            "how many DataNodes there are HDFS tells its superuser alone: give --replicas-max N");
      }
      int told = Math.max(usual, settings.replicasMax());
      return new Hardware(false, usual, told, told, room, Map.of());
    }
    if (settings.below().isEmpty()) {
      throw OperatorException.badInput(
          "this user is HDFS's superuser, who may change every file: name the directories that"
              + " are meant with --below");
    }
    int inService = (int) volumes.stream().map(ClusterVolumes.Volume::nodeName).distinct().count();
    int known = cluster.fs().getDataNodeStats(DatanodeReportType.ALL).length;
    if (settings.replicasMax() > known) {
      throw OperatorException.badInput(
          "--replicas-max "
              + settings.replicasMax()
              + " is more than the "
              + Words.count(known, "DataNode")
              + " that HDFS knows");
    }
    int wanted = settings.replicasMax() == 0 ? known : settings.replicasMax();
    return new Hardware(
        true,
        usual,
        Math.max(usual, Math.min(wanted, inService)),
        Math.max(usual, wanted),
        room,
        tierRoom(cluster.tiers(), volumes, keptFree));
  }

  /** Volumes in service; null when this user may not know. */
  private static List<ClusterVolumes.Volume> volumes(MoverCluster cluster) throws IOException {
    try {
      return ClusterVolumes.read(cluster.fs(), cluster.tiers()).volumes().stream()
          .filter(ClusterVolumes.Volume::inService)
          .toList();
    } catch (OperatorException e) {
      if (FailureText.cause(e.getCause()) instanceof AccessControlException) {
        return null;
      }
      throw e;
    }
  }

  private static Map<String, Long> tierRoom(
      TierConfiguration tiers, List<ClusterVolumes.Volume> volumes, double keptFree) {
    Map<String, Long> room = new TreeMap<>();
    for (ClusterVolumes.Volume volume : volumes) {
      if (volume.tier() >= 0) {
        long free = volume.remainingBytes() - (long) (keptFree * volume.capacityBytes());
        room.merge(tiers.table().tier(volume.tier()).name(), Math.max(0, free), Long::sum);
      }
    }
    return room;
  }

  /** The tier where HDFS puts replicas unless a policy says otherwise: plain disks. */
  static Tier disk(TierConfiguration tiers) {
    for (Tier tier : tiers.table().tiers()) {
      TierMatch match = tiers.matcher().match(tier.index());
      if (match.storageTypes().isEmpty() || match.storageTypes().contains(StorageType.DISK)) {
        return tier;
      }
    }
    return tiers.table().tier(tiers.table().count() - 1);
  }
}
