package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Moves on an HDFS without the plug-in. */
class MoverOnStockIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1"};
  private static final StorageType[][] TYPES = {
    {StorageType.DISK}, {StorageType.DISK}, {StorageType.DISK}, {StorageType.SSD}
  };

  private static final String WATTS =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
          class: {write-megabytes-per-second: 200, idle-watts: 1, active-watts: 3}
        - name: disk
          match: {storage-type: DISK}
          class: {read-megabytes-per-second: 100, idle-watts: 5, active-watts: 8}
      """;

  @Test
  void stockHdfsIsAskedOnlyForWhatItsStoragePolicyKeeps() throws IOException {
    Configuration conf = LiveCluster.plain();
    LiveCluster.haveHdfsHurry(conf);
    try (LiveCluster cluster = LiveCluster.start(conf, RACKS, TYPES, null)) {
      Path hot = cluster.write("/t/hot", 1, 3);
      Path oneSsd = cluster.write("/t/one", 1, 3);
      cluster.fs().setStoragePolicy(oneSsd, "ONE_SSD");
      assertThatAPlanSaysWhatItsTierTableCanTell(cluster);

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
   * {@code dfs.storage.default.policy} of the NameNode, which a client need not know. Long: make
   * test has files with a storage policy.
   */
  @Tag("long")
  @Test
  void aFileWithoutAStoragePolicyHasTheOneThatTheNameNodeHasForAll() throws IOException {
    Configuration conf = LiveCluster.plain();
    LiveCluster.haveHdfsHurry(conf);
    conf.set("dfs.storage.default.policy", "ONE_SSD");
    try (LiveCluster cluster = LiveCluster.start(conf, RACKS, TYPES, null)) {
      cluster.fs().mkdirs(new Path("/t"));
      cluster.fs().setStoragePolicy(new Path("/t"), "HOT");
      Path file = cluster.write("/t/file", 1, 3);
      assertThat(cluster.typesOf(file)).containsOnly("DISK DISK DISK");
      cluster.fs().unsetStoragePolicy(new Path("/t"));

      MoverReport report =
          cluster.move(LiveCluster.quick(), cluster.order("layout:1 x ssd + 2 x disk", "/t"));

      assertThat(report.left()).isEmpty();
      assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
    }
  }

  /** Without the plug-in the tier table is the user's own. */
  private static void assertThatAPlanSaysWhatItsTierTableCanTell(LiveCluster cluster)
      throws IOException {
    MoveOrder order = cluster.order("layout:1 x ssd + 2 x disk", "/t/one");
    AddedEnergy unknown = Mover.plan(cluster.cluster(), LiveCluster.quick(), order).energy();
    assertThat(unknown.joules()).isNull();
    assertThat(unknown.unknownTiers()).containsExactly("ssd", "disk");

    Configuration client = cluster.clientConf();
    java.nio.file.Path table =
        Files.writeString(Files.createTempDirectory("tierwise-watts").resolve("t.yaml"), WATTS);
    client.set("tierwise.tiers.file", table.toString());
    MoverReport plan =
        Mover.plan(MoverCluster.of(cluster.fs(), client), LiveCluster.quick(), order);
    assertThat(plan.moved().bytes()).isEqualTo(LiveCluster.BLOCK_BYTES);
    double each = LiveCluster.BLOCK_BYTES / 1e6;
    assertThat(plan.energy().joules()).isEqualTo(3 * each / 100 + 2 * each / 200, within(1e-9));
    assertThat(plan.energy().source()).isEqualTo(table.toString());
    assertThat(plan.lines(true)).anyMatch(line -> line.contains("adds about 0.0419 J"));
  }

  /**
   * Stock HDFS keeps racks before it follows a move: a copy in a rack that the block stands in
   * already makes the old replica there the one that it drops.
   */
  @Tag("long")
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
          Moved.run(
              cluster, LiveCluster.quick(), cluster.order("layout:3 x ssd", "/t"), journal -> {});

      assertThat(moved.namedTwice()).isNotEmpty();
      assertThat(moved.report().left()).isEmpty();
      assertThat(cluster.typesOf(file)).hasSize(blocks).containsOnly("SSD SSD SSD");
      cluster.assertWhole(file, blocks);
    }
  }
}
