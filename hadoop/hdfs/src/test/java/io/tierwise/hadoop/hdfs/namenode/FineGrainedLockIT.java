package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.fgl.FSNLockManager;
import org.apache.hadoop.hdfs.server.namenode.fgl.FineGrainedFSNamesystemLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With separate locks for the tree and the blocks, look-ups keep Hadoop's order of the two. */
class FineGrainedLockIT {
  @Test
  @Timeout(120)
  void placesCountsAndDropsReplicasUnderSeparateLocks() throws Exception {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setClass(
        DFSConfigKeys.DFS_NAMENODE_LOCK_MODEL_PROVIDER_KEY,
        FineGrainedFSNamesystemLock.class,
        FSNLockManager.class);
    try (TieredCluster cluster = TieredCluster.start(conf, "/r1", "/r1", "/r2", "/r2", "/r3")) {
      Path file = cluster.write(new Path(cluster.directory("/managed", "hybrid"), "f"), 4, 3);
      for (int replication : new int[] {5, 3}) {
        cluster.replicate(replication, file);
      }
      assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast middle slow");
      assertThat(cluster.counters().deletionsByPolicy()).isEqualTo(8);
      Path set = cluster.directory("/set", "zone-ratio:fast=0.5,middle+slow=0.5,scope=directory");
      Path part = cluster.write(new Path(set, "part"), 5, 1);
      assertThat(cluster.blocksIn("fast", part)).isEqualTo(3);
      assertThat(cluster.counters().stockCount(StockReason.LOCK_ORDER)).isZero();
      assertThat(cluster.counters().stockCount(StockReason.ERROR)).isZero();
      cluster.assertWhole(file, 4);
    }
  }
}
