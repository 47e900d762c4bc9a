package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas that come from disks of some nodes to SSDs of others, of files under no policy, on
 * HDFS's stock defaults. Its intervals are HDFS's own, so that it takes minutes.
 */
@Tag("long")
class SeparateTiersIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r1", "/r2", "/r1", "/r2"};
  private static final StorageType[] DISK = {StorageType.DISK};
  private static final StorageType[] SSD = {StorageType.SSD};
  private static final StorageType[][] TYPES = {DISK, DISK, DISK, DISK, SSD, SSD};
  private static final String PROMOTED = "layout:1 x ssd + 2 x any";
  private static final String ONE_ON_SSD = "DISK DISK SSD";
  private static final String DISKS = "DISK DISK DISK";
  private static final int BLOCKS = 4;

  private LiveCluster cluster;
  private Journal journal;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplicaThatHdfsIsToldToKeepStays(boolean plugin) throws Exception {
    Configuration conf = plugin ? LiveCluster.withPlugin() : LiveCluster.plain();
    journal = new Journal(Files.createTempDirectory("journal"));
    try (LiveCluster started = LiveCluster.start(conf, RACKS, TYPES, null)) {
      cluster = started;
      Path kept = cluster.write("/t/kept", BLOCKS, 3);
      Path told = cluster.write("/t/told", BLOCKS, 3);
      MoveOrder order = cluster.order(PROMOTED, "/t");
      assertThat(Mover.plan(cluster.cluster(), LiveCluster.quick(), order).left())
          .as("HDFS's default storage policy")
          .extracting(MoverReport.Left::reason)
          .containsExactly("the NameNode would undo it");
      MoveOrder keeping = order.under(Map.of("/t/kept", "ONE_SSD", "/t/told", "ONE_SSD"));
      assertThat(Mover.plan(cluster.cluster(), LiveCluster.quick(), keeping).moved().replicas())
          .isEqualTo(2 * BLOCKS);
      MoverReport report;
      String id;
      JournalRun run = begin(null);
      try (run;
          Watcher unused = new Watcher(cluster, List.of(kept, told), BLOCKS, 3);
          Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
        id = run.id();
        report = MoverJob.of(cluster.cluster(), keeping).run(mover, run, Listener.Step.SILENT);
      }
      assertThat(report.left()).isEmpty();
      assertThat(cluster.typesOf(kept)).containsOnly(ONE_ON_SSD);
      assertThat(cluster.typesOf(told)).containsOnly(ONE_ON_SSD);

      cluster.fs().unsetStoragePolicy(told);
      oneReplicaMoreAndLess(kept, ONE_ON_SSD);
      // Without the storage policy the replica on the SSD is the one too many.
      oneReplicaMoreAndLess(told, DISKS);
      cluster.mini().restartNameNode(true);
      awaitTypes("all replicas", kept, all -> all.stream().allMatch(ONE_ON_SSD::equals));
      oneReplicaMoreAndLess(kept, ONE_ON_SSD);
      aNodeGoesAndComesBack(kept);

      assertThatAnUndoTakesBoth(id, kept);
      cluster.assertWhole(kept, BLOCKS);
      cluster.assertWhole(told, BLOCKS);
    }
  }

  private JournalRun begin(String undoes) {
    return journal.begin("test", "me", "here", List.of("/t"), "", undoes);
  }

  private void awaitTypes(String what, Path file, Predicate<List<String>> wanted)
      throws IOException {
    LiveCluster.await(what + " of " + file, () -> wanted.test(cluster.typesOf(file)), 120);
  }

  private void oneReplicaMoreAndLess(Path file, String types) throws IOException {
    cluster.fs().setReplication(file, (short) 4);
    awaitTypes("four replicas", file, all -> all.stream().allMatch(each -> count(each) == 4));
    cluster.fs().setReplication(file, (short) 3);
    awaitTypes("three replicas", file, all -> all.stream().allMatch(each -> count(each) == 3));
    assertThat(cluster.typesOf(file)).containsOnly(types);
  }

  private static long count(String types) {
    return types.split(" ").length;
  }

  /** HDFS copies what the node had, and has one replica too many when it is back. */
  private void aNodeGoesAndComesBack(Path file) throws Exception {
    MiniDFSCluster mini = cluster.mini();
    String gone = mini.getDataNodes().get(0).getDatanodeUuid();
    DataNodeProperties stopped = cluster.lose(0);
    LiveCluster.await(
        "replicas on other nodes",
        () ->
            cluster.blocks(file).stream()
                .map(SeparateTiersIT::nodesOf)
                .allMatch(nodes -> nodes.size() == 3 && !nodes.contains(gone)),
        120);
    assertThat(cluster.typesOf(file)).containsOnly(ONE_ON_SSD);
    assertThat(mini.restartDataNode(stopped, false)).isTrue();
    mini.waitActive();
    mini.triggerBlockReports();
    awaitTypes("three replicas", file, all -> all.stream().allMatch(ONE_ON_SSD::equals));
  }

  private static List<String> nodesOf(LocatedBlock block) {
    return Stream.of(block.getLocations()).map(DatanodeInfo::getDatanodeUuid).toList();
  }

  private void assertThatAnUndoTakesBoth(String id, Path file) throws IOException {
    Undo undo = new Undo(cluster.cluster(), PastRun.read(journal, id));
    assertThat(undo.plan(LiveCluster.quick()).moved().replicas()).isEqualTo(BLOCKS);
    try (JournalRun run = begin(id);
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      undo.run(mover, run, Listener.Step.SILENT);
    }
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
    assertThat(cluster.fs().getStoragePolicy(file).getName()).isEqualTo("HOT");
  }
}
