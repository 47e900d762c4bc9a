package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.Refusal;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.StorageTypeStats;

/**
 * Whether a DataNode, and a storage on it, may take a block at this instant: the stock policy's
 * tests, by the stock policy's keys, read live from the NameNode's structures.
 */
final class WriteAdmission {
  private final FSClusterStats stats;
  private final boolean considerLoad;
  private final boolean considerLoadByStorageType;
  private final boolean considerLoadByVolume;
  private final double loadFactor;
  private final long staleMillis;
  private final boolean peerStatsEnabled;
  private volatile boolean excludeSlowNodes;
  private volatile int blocksForWriteMin;
  private volatile double acceptedLoad;
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
    considerLoadByStorageType =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_DEFAULT);
    considerLoadByVolume =
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_KEY,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_DEFAULT);
    loadFactor =
        conf.getDouble(
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_FACTOR,
            DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_FACTOR_DEFAULT);
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

  /** The answer for any node but the writer's own. */
  Refusal check(DatanodeDescriptor node) {
    Refusal refusal = checkButLoad(node);
    return refusal == Refusal.NONE && considerLoad && isOverloaded(node)
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

  static boolean takes(DatanodeStorageInfo storage, long requiredBytes) {
    return StorageInternals.isNormal(storage)
        && StorageInternals.remainingBytes(storage) >= requiredBytes;
  }

  /**
   * The stock test, with the cluster's average taken only when the last one taken would refuse: the
   * average sits behind a lock that every heartbeat takes.
   */
  private boolean isOverloaded(DatanodeDescriptor node) {
    int load = node.getXceiverCount();
    if (load <= acceptedLoad && !considerLoadByStorageType && !considerLoadByVolume) {
      return false;
    }
    double loadMax =
        loadFactor
            * (considerLoadByStorageType
                ? averageOfStorageTypes(node)
                : stats.getInServiceXceiverAverage());
    if (!considerLoadByStorageType) {
      acceptedLoad = loadMax;
    }
    if (load > loadMax && loadMax > 0) {
      return true;
    }
    if (considerLoadByVolume) {
      double volumeLoadMax =
          loadFactor * node.getNumVolumesAvailable() * stats.getInServiceXceiverAverageForVolume();
      return volumeLoadMax > 0 && load > volumeLoadMax;
    }
    return false;
  }

  /** Takes the cluster's average afresh; called on every tick, so that the shortcut cannot age. */
  void refreshLoad() {
    if (considerLoad && !considerLoadByStorageType) {
      acceptedLoad = loadFactor * stats.getInServiceXceiverAverage();
    }
  }

  private double averageOfStorageTypes(DatanodeDescriptor node) {
    Map<StorageType, StorageTypeStats> byType = stats.getStorageTypeStats();
    int nodes = 0;
    int transfers = 0;
    for (StorageType type : node.getStorageTypes()) {
      StorageTypeStats ofType = byType.get(type);
      if (ofType != null) {
        nodes += ofType.getNodesInService();
        transfers += ofType.getNodesInServiceXceiverCount();
      }
    }
    return nodes == 0 ? 0 : (double) transfers / nodes;
  }
}
