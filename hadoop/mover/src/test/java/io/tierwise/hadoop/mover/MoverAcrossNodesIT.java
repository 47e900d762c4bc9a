package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Moves from nodes with disks to nodes with SSDs. */
class MoverAcrossNodesIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1", "/r2", "/r3"};
  private static final StorageType[][] TYPES = {
    {StorageType.DISK}, {StorageType.DISK}, {StorageType.DISK},
    {StorageType.SSD}, {StorageType.SSD}, {StorageType.SSD}
  };
  private static final String ONE_SSD = "layout:1 x ssd + 2 x disk";
  private static final int BLOCKS = 4;

  private LiveCluster cluster;

  @AfterEach
  void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void copiesToTheTierWithBlockTokensAndTheNameNodeDropsTheOldReplica() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    cluster = LiveCluster.start(conf, RACKS, TYPES, null);
    Path file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", ONE_SSD);
    MoverReport report;
    try (Watcher watcher = new Watcher(cluster, List.of(file), BLOCKS, 3)) {
      report = cluster.move(LiveCluster.quick(), cluster.order("", "/t"));
      assertThat(watcher.reads()).isPositive();
    }

    assertThat(report.left()).isEmpty();
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
    assertThat(report.networkBytes()).isEqualTo(BLOCKS * (long) LiveCluster.BLOCK_BYTES);
  }

  @Test
  void stockHdfsIsAskedOnlyForWhatItsStoragePolicyKeeps() throws IOException {
    cluster = LiveCluster.start(LiveCluster.plain(), RACKS, TYPES, null);
    Path hot = cluster.write("/t/hot", 1, 3);
    Path oneSsd = cluster.write("/t/one", 1, 3);
    cluster.fs().setStoragePolicy(oneSsd, "ONE_SSD");

    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order(ONE_SSD, "/t"));

    assertThat(cluster.typesOf(oneSsd)).containsOnly("DISK DISK SSD");
    assertThat(cluster.typesOf(hot)).containsOnly("DISK DISK DISK");
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly("the NameNode would undo it");
    assertThat(report.left()).extracting(MoverReport.Left::example).containsExactly("/t/hot");
  }

  @Test
  void aTierThatFillsTakesWhatItHasRoomFor() throws IOException {
    long room = 2L * LiveCluster.BLOCK_BYTES + LiveCluster.BLOCK_BYTES / 2;
    long[][] capacities = new long[RACKS.length][];
    for (int i = 0; i < capacities.length; i++) {
      capacities[i] = new long[] {i < 3 ? 1L << 30 : room};
    }
    Configuration conf = LiveCluster.withPlugin();
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, LiveCluster.BLOCK_BYTES);
    cluster = LiveCluster.start(conf, RACKS, TYPES, capacities);
    Path file = cluster.write("/t/file", 10, 3);
    cluster.setPolicy("/t", ONE_SSD);

    MoverReport plan = Mover.plan(cluster.cluster(), LiveCluster.quick(), cluster.order("", "/t"));
    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order("", "/t"));

    assertThat(report.moved().replicas()).isEqualTo(plan.moved().replicas()).isEqualTo(6);
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly("no room in the wanted tier");
    assertThat(report.left().get(0).amount().replicas()).isEqualTo(4);
    assertThat(cluster.typesOf(file)).filteredOn("DISK DISK SSD"::equals).hasSize(6);
    cluster.assertWhole(file, 10);
  }

  @Test
  void aTargetThatDiesIsReplacedByAnotherOne() throws IOException {
    cluster = LiveCluster.start(LiveCluster.withPlugin(), RACKS, TYPES, null);
    Path file = cluster.write("/t/file", 12, 3);
    cluster.setPolicy("/t", ONE_SSD);
    AtomicInteger count = new AtomicInteger();
    MoverReport report;
    try (Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick().withMovesPerNode(1))) {
      report =
          mover.run(
              cluster.order("", "/t"),
              new Listener.Step() {
                @Override
                public void add(long amount) {
                  if (count.incrementAndGet() == 1) {
                    DataNodeProperties stopped = cluster.mini().stopDataNode(3);
                    assertThat(stopped).isNotNull();
                  }
                }

                @Override
                public void finish(String remark) {}
              });
    }

    assertThat(report.moved().replicas()).isGreaterThan(6);
    assertThat(cluster.typesOf(file))
        .filteredOn(types -> types.contains("SSD"))
        .hasSizeGreaterThan(6);
    cluster.assertWhole(file, 12);
    assertThat(report.left()).allMatch(left -> left.example().equals("/t/file"));
  }
}
