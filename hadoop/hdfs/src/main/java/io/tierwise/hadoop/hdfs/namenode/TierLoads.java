package io.tierwise.hadoop.hdfs.namenode;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How busy the nodes of each tier are, taken once a tick; and whether a node is too busy for one.
 *
 * <p>Stock HDFS compares a node's transfers with the average of the whole cluster. The nodes of a
 * small tier that is written to are always above that; so here a node is compared with the nodes in
 * service that have the tier, and below a floor it is not busy at all. Immutable; a decision reads
 * one number of the node and takes no lock.
 */
final class TierLoads {
  private static final Logger LOG = LoggerFactory.getLogger(TierLoads.class);

  /** Transfers of a node up to which it is never too busy. */
  static final String FLOOR_KEY = "tierwise.namenode.load.floor-transfers";

  /**
   * Hadoop counts a DataNode's threads ("xceivers"), each of which serves one connection. A
   * connection outlives its read: the DataNode keeps it for 4 s
   * (dfs.datanode.socket.reuse.keepalive), a client keeps up to 16
   * (dfs.client.socketcache.capacity, for 3 s). So one client that does nothing any more may count
   * as 16 on one node, and up to there the number says nothing about the disk.
   */
  static final int FLOOR_DEFAULT = 16;

  /** Before the first tick nobody is busy. */
  static final TierLoads UNKNOWN =
      new TierLoads(new Rule(false, false, 0, Integer.MAX_VALUE), new Sum[0]);

  private final Rule rule;
  private final Sum[] byTier;

  private TierLoads(Rule rule, Sum[] byTier) {
    this.rule = rule;
    this.byTier = byTier;
  }

  /**
   * Hadoop's keys of {@code dfs.namenode.redundancy.considerLoad}, and our floor.
   *
   * @param byStorageType whether a node is compared with those of the tier that share its storage
   *     types, each type counted
   * @param byVolume whether the load of its volumes is compared as well
   * @param factor how much above the average is too much
   */
  record Rule(boolean byStorageType, boolean byVolume, double factor, int floorTransfers) {
    static Rule of(Configuration conf) {
      return new Rule(
          conf.getBoolean(
              DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_KEY,
              DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYSTORAGETYPE_DEFAULT),
          conf.getBoolean(
              DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_KEY,
              DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOADBYVOLUME_DEFAULT),
          conf.getDouble(
              DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_FACTOR,
              DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_FACTOR_DEFAULT),
          new SettingReader(conf, LOG::error)
              .number(FLOOR_KEY, FLOOR_DEFAULT, 0, Integer.MAX_VALUE));
    }
  }

  /** The loads of the index's nodes at this moment. */
  static TierLoads of(ClusterIndex index, Rule rule) {
    Sum[] byTier = new Sum[index.tiers.count()];
    for (int tier = 0; tier < byTier.length; tier++) {
      byTier[tier] = new Sum();
    }
    for (int node = 0; node < index.nodes.length; node++) {
      DatanodeDescriptor descriptor = index.nodes[node];
      if (descriptor.isInService() && descriptor.isAlive()) {
        for (long left = index.nodeTiers[node]; left != 0; left &= left - 1) {
          byTier[Long.numberOfTrailingZeros(left)].add(descriptor, rule.byStorageType());
        }
      }
    }
    return new TierLoads(rule, byTier);
  }

  boolean isOverloaded(DatanodeDescriptor node, int tier) {
    int transfers = node.getXceiverCount();
    if (transfers <= rule.floorTransfers() || tier >= byTier.length) {
      return false;
    }
    Sum sum = byTier[tier];
    double average = rule.byStorageType() ? sum.averageOfTypes(node) : sum.average();
    if (transfers > rule.factor() * average) {
      return true;
    }
    // A node that has not told of its volumes is not judged by them.
    int volumes = node.getNumVolumesAvailable();
    return rule.byVolume()
        && volumes > 0
        && transfers > rule.factor() * volumes * sum.averageOfVolumes();
  }

  /** Of the nodes in service of one tier. */
  private static final class Sum {
    private int nodes;
    private long transfers;
    private long volumes;
    private final Map<StorageType, long[]> nodesAndTransfersByType =
        new EnumMap<>(StorageType.class);

    private void add(DatanodeDescriptor node, boolean byStorageType) {
      nodes++;
      transfers += node.getXceiverCount();
      volumes += node.getNumVolumesAvailable();
      if (byStorageType) {
        for (StorageType type : node.getStorageTypes()) {
          long[] ofType = nodesAndTransfersByType.computeIfAbsent(type, ignored -> new long[2]);
          ofType[0]++;
          ofType[1] += node.getXceiverCount();
        }
      }
    }

    private double average() {
      return nodes == 0 ? 0 : (double) transfers / nodes;
    }

    private double averageOfVolumes() {
      return volumes == 0 ? 0 : (double) transfers / volumes;
    }

    private double averageOfTypes(DatanodeDescriptor node) {
      long ofNodes = 0;
      long ofTransfers = 0;
      for (StorageType type : node.getStorageTypes()) {
        long[] ofType = nodesAndTransfersByType.get(type);
        if (ofType != null) {
          ofNodes += ofType[0];
          ofTransfers += ofType[1];
        }
      }
      return ofNodes == 0 ? 0 : (double) ofTransfers / ofNodes;
    }
  }
}
