package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A limit in bytes is the active NameNode's: it holds after each change of that. Long: ByteLimitsIT
 * counts anew after a restart in make test.
 */
@Tag("long")
class ByteLimitsFailoverIT {
  private static final int LIMIT_BLOCKS = 4;
  private static final int REPLICAS = 2;
  private static final Path LIMITED = new Path("/limited");

  private int fileCount;

  @Test
  void theOtherNameNodeCountsWhatTheFirstPlacedAndTheFirstWhatTheOtherDeleted() throws IOException {
    Configuration conf =
        TieredCluster.settings(
            TieredCluster.THREE_TIERS
                + "byte-limits:\n  - {path: %s, tier: fast, bytes: %d B}\n"
                    .formatted(LIMITED, LIMIT_BLOCKS * REPLICAS * TieredCluster.BLOCK_BYTES));
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (TieredCluster cluster = TieredCluster.startPair(conf, "/r1", "/r2", "/r3")) {
      cluster.directory(LIMITED.toString(), "layout:2 x fast");
      TierBytes ofFirst = ((NamespacePolicies) cluster.host().paths()).tierBytes();
      INode[] limited = {cluster.mini().getNamesystem(0).getFSDirectory().getINode("/limited")};
      TieredCluster.await("the directory is known", () -> !ofFirst.above(limited).isEmpty());
      TieredCluster.await("the tier is used up", () -> !isNextOnFast(cluster));

      Outages.failOver(cluster);
      TieredCluster.await("known by the other", () -> !isNextOnFast(cluster));
      for (int i = 0; i < LIMIT_BLOCKS; i++) {
        assertThat(isNextOnFast(cluster)).as("after a whole count").isFalse();
      }
      cluster.files().delete(LIMITED, true);
      cluster.directory(LIMITED.toString(), "layout:2 x fast");
      TieredCluster.await("free after a count", () -> isNextOnFast(cluster));
      TieredCluster.await("used up again", () -> !isNextOnFast(cluster));

      Outages.failOver(cluster);
      TieredCluster.await("known by the first again", () -> !isNextOnFast(cluster));
    }
  }

  private boolean isNextOnFast(TieredCluster cluster) throws IOException {
    Path file = new Path(LIMITED, "file" + fileCount++);
    cluster.write(file, 1, REPLICAS);
    return cluster.blocksIn("fast", file) == 1;
  }
}
