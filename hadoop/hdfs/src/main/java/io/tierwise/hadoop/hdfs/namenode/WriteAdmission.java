package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.Refusal;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;

/**
 * Whether a DataNode, and a storage on it, may take a block at this instant: the stock policy's
 * tests, by the stock policy's keys, read live from the NameNode's structures. Only load is judged
 * otherwise: by {@link TierLoads}, inside a tier.
 */
final class WriteAdmission {
  private final FSClusterStats stats;
  private final boolean considerLoad;
  private final TierLoads.Rule loadRule;
  private final long staleMillis;
  private final boolean peerStatsEnabled;
  private final long keptFreeBytes;
  private volatile boolean excludeSlowNodes;
  private volatile int blocksForWriteMin;
  private volatile TierLoads loads = TierLoads.UNKNOWN;
  private volatile ReplicaDomains domains = ReplicaDomains.NONE;

  /**
   * @param stats the NameNode's, or null where there is no NameNode: then load and staleness are
   *     not considered, as in the stock policy
   */
  WriteAdmission(Configuration conf, FSClusterStats stats) {
    this.stats = stats;
    considerLoad =
        stats != null
            && conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY,
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_DEFAULT);
    loadRule = TierLoads.Rule.of(conf);
    staleMillis =
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
    peerStatsEnabled =
        conf.getBoolean(
            DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_KEY,
            DFSConfigKeys.DFS_DATANODE_PEER_STATS_ENABLED_DEFAULT);
    excludeSlowNodes =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_EXCLUDE_SLOW_NODES_ENABLED_KEY,
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_EXCLUDE_SLOW_NODES_ENABLED_DEFAULT);
    blocksForWriteMin =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_KEY,
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_MIN_BLOCKS_FOR_WRITE_DEFAULT);
    keptFreeBytes = KeptFree.of(key -> Optional.ofNullable(conf.get(key)));
  }

  /** Follows the NameNode's run-time reconfiguration of these two. */
  void reconfigure(boolean excludeSlowNodes, int blocksForWriteMin) {
    this.excludeSlowNodes = excludeSlowNodes;
    this.blocksForWriteMin = blocksForWriteMin;
  }

  /** From now on the replicas of a block stay apart as the cluster's placement class keeps them. */
  void keepApart(ReplicaDomains newDomains) {
    domains = newDomains;
  }

  ReplicaDomains domains() {
    return domains;
  }

  /** The answer for any node but the writer's own, asked as one of {@code tier}. */
  Refusal check(DatanodeDescriptor node, int tier) {
    Refusal refusal = checkButLoad(node);
    return refusal == Refusal.NONE && considerLoad && loads.isOverloaded(node, tier)
        ? Refusal.OVERLOADED
        : refusal;
  }

  /** The answer for the writer's own node, which stock HDFS accepts however loaded it is. */
  Refusal checkButLoad(DatanodeDescriptor node) {
    if (!node.isInService()) {
      return node.isMaintenance() ? Refusal.MAINTENANCE : Refusal.DECOMMISSIONING;
    }
    if (!node.isAlive()) {
      return Refusal.DEAD;
    }
    if (stats != null && stats.isAvoidingStaleDataNodesForWrite() && node.isStale(staleMillis)) {
      return Refusal.STALE;
    }
    if (peerStatsEnabled
        && excludeSlowNodes
        && DatanodeManager.getSlowNodesUuidSet().contains(node.getDatanodeUuid())) {
      return Refusal.SLOW;
    }
    return Refusal.NONE;
  }

  /** Room that a storage must have for a block of {@code bytes}. */
  long requiredBytes(long bytes) {
    return bytes * blocksForWriteMin;
  }

  /** Bytes of each volume that are left to its DataNode, which takes no block for them. */
  long keptFreeBytes() {
    return keptFreeBytes;
  }

  /** The room that a storage must have before it gets a block of {@code bytes}. */
  long remainingBytesMin(long bytes) {
    return requiredBytes(bytes) + keptFreeBytes;
  }

  static boolean takes(DatanodeStorageInfo storage, long remainingBytesMin) {
    return StorageInternals.isNormal(storage)
        && StorageInternals.remainingBytes(storage) >= remainingBytesMin;
  }

  /** False between a node's registration and its first heartbeat: it seems to have no room then. */
  static boolean hasReported(DatanodeDescriptor node, DatanodeStorageInfo[] storages) {
    for (DatanodeStorageInfo storage : storages) {
      if (node.isHeartbeatedSinceRegistration() || StorageInternals.remainingBytes(storage) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Takes the tiers' loads afresh; called on every tick of the view. */
  void refreshLoad(ClusterIndex index) {
    if (considerLoad) {
      loads = TierLoads.of(index, loadRule);
    }
  }
}
