package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;

/** A pair of NameNodes: the standby has all it needs when it takes over. */
class HighAvailabilityIT {
  @Test
  void policiesAndRatiosHoldAfterAFailOverAndBack() throws Exception {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (TieredCluster cluster =
        TieredCluster.startPair(conf, "/r1", "/r1", "/r2", "/r2", "/r3", "/r3")) {
      NameNode first = cluster.mini().getNameNode(0);
      NameNode second = cluster.mini().getNameNode(1);
      assertThat(TieredCluster.hostOf(first)).isNotSameAs(TieredCluster.hostOf(second));
      cluster.useNameNode(0);
      Path managed = cluster.directory("/managed", "hybrid");
      Path set = cluster.directory("/set", "zone-ratio:fast=0.4,middle+slow=0.6,scope=directory");
      long blocks = 0;
      long fast = 0;
      for (int turn = 0; turn < 3; turn++) {
        if (turn > 0) {
          Outages.failOver(cluster);
        }
        Path file = cluster.write(new Path(managed, "file-" + turn), 3, 3);
        assertThat(cluster.tiersOfBlocks(file)).containsOnly("fast middle slow");
        Path part = cluster.write(new Path(set, "part-" + turn), 2, 1);
        blocks += 2;
        fast += cluster.blocksIn("fast", part);
        assertThat(fast).isEqualTo((long) Math.ceil(0.4 * blocks));
      }
      // A client asks for another block when it does not reach a node at once.
      assertThat(TieredCluster.hostOf(second).counters().decisions().get("hybrid"))
          .isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void aNameNodeWithoutThePluginPlacesAsStockAndNothingIsLost() throws Exception {
    Configuration conf = TieredCluster.settings(TieredCluster.THREE_TIERS);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (LogLines log = new LogLines(TierwisePlacementPolicy.class);
        TieredCluster cluster = TieredCluster.startPair(conf, "/r1", "/r1", "/r2", "/r2")) {
      assertThat(log.with("does not name")).isEmpty();
      cluster.mini().getConfiguration(1).unset(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY);
      cluster.mini().restartNameNode(1);
      assertThat(log.with("does not name"))
          .hasSize(1)
          .allSatisfy(line -> assertThat(line).contains("BlockPlacementPolicyDefault"));
      assertThat(TieredCluster.hostOf(cluster.mini().getNameNode(1))).isNull();
      cluster.useNameNode(0);
      Path managed = cluster.directory("/managed", "hybrid");
      Path before = cluster.write(new Path(managed, "before"), 3, 3);
      Outages.failOver(cluster);
      Path without = cluster.write(new Path(managed, "without"), 3, 3);
      assertThat(cluster.tiersOfBlocks(without)).containsOnly("middle middle middle");
      cluster.assertWhole(before, 3);
      Outages.failOver(cluster);
      Path after = cluster.write(new Path(managed, "after"), 3, 3);
      assertThat(cluster.tiersOfBlocks(after)).containsOnly("fast middle slow");
      for (Path file : new Path[] {before, without, after}) {
        cluster.assertWhole(file, 3);
      }
    }
  }
}
