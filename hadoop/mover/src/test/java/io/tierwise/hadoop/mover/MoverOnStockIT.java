package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** Moves on an HDFS without the plug-in. */
class MoverOnStockIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1"};
  private static final StorageType[][] TYPES = {
    {StorageType.DISK}, {StorageType.DISK}, {StorageType.DISK}, {StorageType.SSD}
  };

  @Test
  void stockHdfsIsAskedOnlyForWhatItsStoragePolicyKeeps() throws IOException {
    Configuration conf = LiveCluster.plain();
    LiveCluster.haveHdfsHurry(conf);
    try (LiveCluster cluster = LiveCluster.start(conf, RACKS, TYPES, null)) {
      Path hot = cluster.write("/t/hot", 1, 3);
      Path oneSsd = cluster.write("/t/one", 1, 3);
      cluster.fs().setStoragePolicy(oneSsd, "ONE_SSD");

      MoverReport report =
          cluster.move(LiveCluster.quick(), cluster.order("layout:1 x ssd + 2 x disk", "/t"));

      assertThat(cluster.typesOf(oneSsd)).containsOnly("DISK DISK SSD");
      assertThat(cluster.typesOf(hot)).containsOnly("DISK DISK DISK");
      assertThat(report.left())
          .extracting(MoverReport.Left::reason)
          .containsExactly("the NameNode would undo it");
      assertThat(report.left()).extracting(MoverReport.Left::example).containsExactly("/t/hot");
    }
  }

  /**
   * Stock HDFS keeps racks before it follows a move: a copy in a rack that the block stands in
   * already makes the old replica there the one that it drops.
   */
  @Test
  void aBlockOfWhichStockHdfsDropsAnotherReplicaIsPlannedAnew() throws IOException {
    int blocks = 8;
    String[] racks = {"/r1", "/r2", "/r3", "/r1", "/r1", "/r2"};
    StorageType[][] types = new StorageType[racks.length][];
    for (int node = 0; node < racks.length; node++) {
      types[node] = new StorageType[] {node < 3 ? StorageType.DISK : StorageType.SSD};
    }
    Configuration conf = LiveCluster.plain();
    LiveCluster.haveHdfsHurry(conf);
    try (LiveCluster cluster = LiveCluster.start(conf, racks, types, null)) {
      Path file = cluster.write("/t/file", blocks, 3);
      cluster.fs().setStoragePolicy(file, "ALL_SSD");

      Moved moved =
          Moved.run(cluster, LiveCluster.quick(), cluster.order("layout:3 x ssd", "/t"), () -> {});

      assertThat(moved.namedTwice()).isNotEmpty();
      assertThat(moved.report().left()).isEmpty();
      assertThat(cluster.typesOf(file)).hasSize(blocks).containsOnly("SSD SSD SSD");
      cluster.assertWhole(file, blocks);
    }
  }
}
