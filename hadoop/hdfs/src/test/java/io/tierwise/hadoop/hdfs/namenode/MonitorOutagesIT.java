package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Only the active NameNode of a pair has a backlog; one that takes over or starts finds it again.
 * Long: FailoverIT and HighAvailabilityIT have failovers in make test.
 */
@Tag("long")
class MonitorOutagesIT {
  private static final int BLOCKS = 3;

  private static void awaitBacklog(TieredCluster cluster, int blocks) {
    TieredCluster.await(
        blocks + " blocks in the backlog", () -> cluster.monitor().backlog().queueSize() == blocks);
  }

  @Test
  void theNameNodeThatTakesOverFindsTheBacklogAndTheOtherOneForgetsIt() throws Exception {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setInt(MonitorSettings.INTERVAL_KEY, 1);
    try (TieredCluster cluster = TieredCluster.startPair(conf, "/r1", "/r1", "/r2", "/r2")) {
      cluster.useNameNode(0);
      Path file = cluster.write(new Path(cluster.directory("/later", null), "f"), BLOCKS, 3);
      cluster.setPolicy(new Path("/later"), "layout:1 x fast + 2 x middle");
      awaitBacklog(cluster, BLOCKS);
      cluster.useNameNode(1);
      assertThat(cluster.monitor().backlog().queueSize()).isZero();
      assertThat(cluster.monitor().walks()).isZero();

      cluster.useNameNode(0);
      Outages.failOver(cluster);
      assertThat(cluster.nameNode()).isEqualTo(1);
      awaitBacklog(cluster, BLOCKS);
      cluster.useNameNode(0);
      awaitBacklog(cluster, 0);

      cluster.useNameNode(1);
      Outages.failOver(cluster);
      awaitBacklog(cluster, BLOCKS);
      cluster.mini().restartNameNode(0);
      Outages.reportAll(cluster);
      cluster.mini().transitionToActive(0);
      awaitBacklog(cluster, BLOCKS);
      cluster.assertWhole(file, BLOCKS);
    }
  }
}
