package io.tierwise.benchmarks.placement;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/** One way to place a block, ready to be asked again and again. Not safe for several threads. */
final class Contender {
  static final int REPLICAS = 3;

  private static final BlockStoragePolicySuite SUITE = BlockStoragePolicySuite.createDefaultSuite();

  /** Steps through the nodes in an order that visits each rack; prime to all node counts. */
  private static final int WRITER_STEP = 37;

  private final BenchCluster cluster;
  private final BlockPlacementPolicy policy;
  private final BlockStoragePolicy storagePolicy;
  private final String path;
  private int writer;

  private Contender(
      BenchCluster cluster,
      BlockPlacementPolicy policy,
      HdfsConstants.StoragePolicy storagePolicy,
      String path) {
    this.cluster = cluster;
    this.policy = policy;
    this.storagePolicy = SUITE.getPolicy(storagePolicy.value());
    this.path = path;
  }

  static Contender stock(
      BenchCluster cluster, HdfsConstants.StoragePolicy storagePolicy, String path) {
    return new Contender(cluster, cluster.stock(), storagePolicy, path);
  }

  /** Our policy of the path; the storage policy is what a path has that nobody set one for. */
  static Contender tierwise(BenchCluster cluster, String managedPath) {
    return new Contender(cluster, cluster.tierwise(), HdfsConstants.StoragePolicy.HOT, managedPath);
  }

  /** Targets for a new block, asked for as the NameNode does for a writer on a DataNode. */
  DatanodeStorageInfo[] place() {
    writer = (writer + WRITER_STEP) % cluster.nodeCount();
    return place(cluster.node(writer));
  }

  DatanodeStorageInfo[] place(DatanodeDescriptor writerNode) {
    return policy.chooseTarget(
        path,
        REPLICAS,
        writerNode,
        new ArrayList<>(REPLICAS),
        false,
        new HashSet<>(),
        BenchCluster.BLOCK_BYTES,
        storagePolicy,
        EnumSet.noneOf(AddBlockFlag.class));
  }
}
