package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** New blocks on a real HDFS: each policy keeps its promise, and unmanaged paths are stock's. */
class PlacementIT {
  private static final int BLOCKS = 5;
  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(
            TieredCluster.settings(TieredCluster.THREE_TIERS),
            "/r1",
            "/r1",
            "/r1",
            "/r2",
            "/r2",
            "/r2",
            "/r3",
            "/r3",
            "/r3");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void hybridPutsOneReplicaInEachTierOverTwoRacks() throws IOException {
    Path file = new Path(cluster.directory("/hybrid", "hybrid"), "file");
    cluster.write(file, BLOCKS, 3);
    for (LocatedBlock block : cluster.blocks(file)) {
      assertThat(TieredCluster.tiers(block)).isEqualTo("fast middle slow");
      assertThat(TieredCluster.racks(block)).isEqualTo(2);
    }
    cluster.assertWhole(file, BLOCKS);
    assertThat(cluster.counters().decisions().get("hybrid")).isGreaterThanOrEqualTo(BLOCKS);
  }

  @Test
  void pathWithoutPolicyIsPlacedByStorageTypeOfItsStoragePolicy() throws IOException {
    Path file = new Path(cluster.directory("/unmanaged", null), "file");
    cluster.write(file, BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
    cluster.assertWhole(file, BLOCKS);
  }
}
