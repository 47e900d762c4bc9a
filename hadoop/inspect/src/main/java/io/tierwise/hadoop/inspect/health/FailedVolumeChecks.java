package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;

/**
 * Devices that DataNodes gave up, and what is left of the tiers that they were of. Only a DataNode
 * knows: the NameNode lists such a volume for some minutes as if it were in service, and then no
 * more.
 *
 * <p>Which tier a folder is of goes by its storage type, which the DataNode names. Its storage id
 * stands on the broken device: where a tier that matches by id may take it, nothing is said of
 * tiers.
 */
final class FailedVolumeChecks {
  private final ClusterVolumes cluster;
  private final Map<String, Node> nodes;

  /**
   * One node that gave something up.
   *
   * @param gaveUp folders with their storage types, as the DataNode names them
   * @param dataFolders its key {@code dfs.datanode.data.dir}: a DataNode takes out what it gives up
   *     while it runs, not what was broken when it began
   */
  record Node(DatanodeInfo info, List<String> gaveUp, String dataFolders) {}

  /**
   * @param nodes by name; those that gave up nothing may be left out
   */
  FailedVolumeChecks(ClusterVolumes cluster, Map<String, Node> nodes) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    nodes.forEach(
        (name, node) -> {
          Map<Integer, List<String>> byTier = new TreeMap<>();
          for (String folder : node.gaveUp()) {
            int tier =
                locations(folder).stream()
                    .map(location -> tierOf(location, node))
                    .findFirst()
                    .orElse(TierTable.NONE);
            byTier.computeIfAbsent(tier, ignored -> new ArrayList<>()).add(folder);
          }
          byTier.forEach((tier, folders) -> findings.add(finding(name, tier, folders)));
        });
    return findings;
  }

  private Finding finding(String name, int index, List<String> folders) {
    String gaveUp = name + " gave up " + String.join(", ", folders);
    String advice = "replace the device and restart the node";
    if (index == TierTable.NONE) {
      return Finding.warning("datanode", gaveUp, advice);
    }
    Tier tier = cluster.tiers().table().tier(index);
    long left = left(index);
    String below =
        String.join(
            ", ",
            tier.fallback().stream().map(t -> cluster.tiers().table().tier(t).name()).toList());
    return left <= 0
        ? Finding.warning(
            "datanode",
            gaveUp + ": tier " + tier.name() + " has no volume left",
            (below.isEmpty() ? "" : "new blocks fall back to " + below + "; ") + advice)
        : Finding.warning(
            "datanode",
            gaveUp
                + " of tier "
                + tier.name()
                + ", which has "
                + Words.count(left, "volume")
                + " left",
            advice);
  }

  /** Volumes of the tier in service, without those that the NameNode lists and nodes gave up. */
  private long left(int tier) {
    long listed = listed(tier, cluster.volumes());
    for (Node node : nodes.values()) {
      List<ClusterVolumes.Volume> own =
          cluster.volumes().stream()
              .filter(volume -> volume.address().equals(node.info().getXferAddr()))
              .toList();
      Set<StorageLocation> working = new HashSet<>(locations(node.dataFolders()));
      node.gaveUp().forEach(folder -> locations(folder).forEach(working::remove));
      long left = working.stream().filter(location -> tierOf(location, node) == tier).count();
      listed -= Math.max(0, listed(tier, own) - left);
    }
    return listed;
  }

  private static long listed(int tier, Collection<ClusterVolumes.Volume> volumes) {
    return volumes.stream().filter(v -> v.tier() == tier && v.inService()).count();
  }

  /** The tier of a folder, unless a storage id decides. */
  private int tierOf(StorageLocation location, Node node) {
    return cluster
        .tiers()
        .matcher()
        .tierOfPartlyKnown(TierMatch.Volume.of(location.getStorageType(), node.info(), null));
  }

  private static List<StorageLocation> locations(String dataFolders) {
    Configuration conf = new Configuration(false);
    conf.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, dataFolders);
    return DataNode.getStorageLocations(conf);
  }
}
