package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A copy stays in the store as long as HDFS cannot give all bytes of its file. */
class LostBlocksIT {
  private static final int BYTES = 2 * Clusters.BLOCK_BYTES + 66;

  private Clusters clusters;
  private String store;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 500);
    clusters = Clusters.with(conf);
    store = clusters.store("file");
    clusters.write("/lost/file", BYTES);
    assertThat(clusters.run(store, SecondaryRun.Kind.COPY, "/lost").files()).isOne();
  }

  @AfterEach
  void end() {
    clusters.close();
  }

  private List<LocatedBlock> blocks() throws IOException {
    return clusters
        .stock()
        .getClient()
        .getLocatedBlocks("/lost/file", 0, Long.MAX_VALUE)
        .getLocatedBlocks();
  }

  private void await(Predicate<LocatedBlock> each) throws IOException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!blocks().stream().allMatch(each)) {
      assertThat(System.nanoTime()).as("blocks are as they should be").isLessThan(end);
      LockSupport.parkNanos(100_000_000L);
    }
  }

  private void assertKept(String when) throws IOException {
    SecondaryReport report = clusters.clean(store, "/lost");
    assertThat(report.files()).as(when).isZero();
    assertThat(report.complete()).as(when).isFalse();
    assertThat(report.left()).as(when).hasSize(1);
    assertThat(report.left().get(0).reason())
        .as(when)
        .contains("HDFS cannot give all of its bytes");
    assertThat(Clusters.filesIn(store)).as(when).isEqualTo(2);
  }

  @Test
  void aCopyStaysWhoseFileHasLostItsDataNodes() throws IOException {
    MiniDFSCluster primary = clusters.primary();
    List<DataNodeProperties> stopped = new ArrayList<>();
    while (!primary.getDataNodes().isEmpty()) {
      stopped.add(primary.stopDataNode(0));
    }
    assertThat(blocks().get(0).getLocations()).as("the NameNode does not know yet").isNotEmpty();
    assertKept("DataNodes that just died");

    await(block -> block.getLocations().length == 0);
    assertKept("DataNodes that the NameNode has given up");

    for (DataNodeProperties one : stopped) {
      // Anybody may have taken its old port meanwhile.
      primary.restartDataNode(one, false);
    }
    await(block -> block.getLocations().length == 2);
    assertThat(clusters.clean(store, "/lost").files()).isOne();
    assertThat(Clusters.filesIn(store)).isZero();
  }

  @Test
  void aCopyStaysWhoseFileHasCorruptReplicasAlone() throws IOException {
    clusters.stock().getClient().reportBadBlocks(new LocatedBlock[] {blocks().get(1)});
    assertThat(blocks().get(1).isCorrupt()).isTrue();

    assertKept("all replicas of a block are corrupt");
  }
}
