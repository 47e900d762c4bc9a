package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.NetworkTopologyWithNodeGroup;

/** Nodes with a disk each, and some of them with an SSD too, as a NameNode would tell of them. */
final class MadeNodes {
  static final long BLOCK_BYTES = 1 << 27;

  private static final long CAPACITY = 1L << 50;

  private final TierConfiguration tiers = TierConfiguration.byStorageType();
  private final int withSsd;
  private final long[] heardMillis;
  private long ssdFree = CAPACITY;
  private boolean inGroups;

  /**
   * @param withSsd so many of them, the first
   */
  MadeNodes(int nodes, int withSsd) {
    this.withSsd = withSsd;
    this.heardMillis = new long[nodes];
  }

  TierConfiguration tiers() {
    return tiers;
  }

  /** The NameNode has a heartbeat of the node. */
  void hear(int node) {
    heardMillis[node]++;
  }

  /** The NameNode tells of so much room on each SSD from now on. */
  void leaveFree(long bytes) {
    ssdFree = bytes;
  }

  /** Each node stands in a node group of its own, a level below its rack, from now on. */
  void haveGroups() {
    inGroups = true;
  }

  ClusterSnapshot.Names names() {
    return names(HdfsConstants.HOT_STORAGE_POLICY_ID);
  }

  /** The same on an HDFS with another storage policy for files without one. */
  ClusterSnapshot.Names names(byte storagePolicy) {
    Configuration conf = new Configuration(false);
    if (inGroups) {
      conf.setBoolean("dfs.use.dfs.network.topology", false);
      conf.set("net.topology.impl", NetworkTopologyWithNodeGroup.class.getName());
    }
    return new ClusterSnapshot.Names(tiers, new RegionNames(conf), List.of(), 0, 0, storagePolicy);
  }

  DatanodeStorageReport[] report() {
    DatanodeStorageReport[] all = new DatanodeStorageReport[heardMillis.length];
    for (int node = 0; node < all.length; node++) {
      StorageReport disk = storage(node, StorageType.DISK);
      StorageReport[] storages =
          node < withSsd
              ? new StorageReport[] {disk, storage(node, StorageType.SSD)}
              : new StorageReport[] {disk};
      all[node] = new DatanodeStorageReport(info(node), storages);
    }
    return all;
  }

  private StorageReport storage(int node, StorageType type) {
    DatanodeStorage storage =
        new DatanodeStorage(idOf(node, type), DatanodeStorage.State.NORMAL, type);
    long free = type == StorageType.SSD ? ssdFree : CAPACITY;
    return new StorageReport(storage, false, CAPACITY, CAPACITY - free, free, 0, 0);
  }

  private static String idOf(int node, StorageType type) {
    return "DS-" + type + "-" + node;
  }

  private DatanodeInfo info(int node) {
    String name = "node" + node;
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("10.0.0." + node, name, "uuid-of-" + name, 9866, 1, 2, 3))
        .setNetworkLocation("/r" + node % 3 + (inGroups ? "/g" + node : ""))
        .setLastUpdateMonotonic(heardMillis[node])
        .build();
  }

  /** A block of a file of its own, with replicas on the disks of those nodes. */
  LocatedBlock block(long id, int... nodes) {
    DatanodeInfo[] locations = new DatanodeInfo[nodes.length];
    String[] storages = new String[nodes.length];
    StorageType[] types = new StorageType[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      locations[i] = info(nodes[i]);
      storages[i] = idOf(nodes[i], StorageType.DISK);
      types[i] = StorageType.DISK;
    }
    return new LocatedBlock(
        new ExtendedBlock("pool", id, BLOCK_BYTES, 1), locations, storages, types);
  }

  FileToMove file(LocatedBlock block, String layout) {
    return new FileToMove(
        "/made/file-" + block.getBlock().getBlockId(),
        Made.file(block.getBlock().getBlockId(), block.getLocations().length, block),
        PlacementPolicies.ofLayout(layout, tiers.table()),
        Deletion.BY_WANTED_POLICY,
        null);
  }
}
