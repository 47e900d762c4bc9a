package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Moves from nodes with disks to nodes with SSDs, with block tokens. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MoverAcrossNodesIT {
  private static final String[] RACKS = {"/r1", "/r2", "/r3", "/r1", "/r2", "/r3"};
  private static final StorageType[][] TYPES = {
    {StorageType.DISK}, {StorageType.DISK}, {StorageType.DISK},
    {StorageType.SSD}, {StorageType.SSD}, {StorageType.SSD}
  };
  private static final String ONE_SSD = "layout:1 x ssd + 2 x disk";
  private static final long ROOM = 1L << 30;
  private static final int FIRST_SSD = 3;

  /** For what does not come: the node is stopped, or HDFS does not show its replicas. */
  private static final int PATIENCE_SECONDS = 15;

  private static LiveCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, LiveCluster.BLOCK_BYTES);
    LiveCluster.haveHdfsHurry(conf);
    long[][] rooms = new long[RACKS.length][];
    Arrays.fill(rooms, new long[] {ROOM});
    cluster = LiveCluster.start(conf, RACKS, TYPES, rooms);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void clear() throws IOException {
    cluster.fs().delete(new Path("/t"), true);
  }

  /** A file on the disks below a directory that should have one replica on an SSD. */
  private static Path file(int blocks) throws IOException {
    cluster.fs().delete(new Path("/t"), true);
    Path file = cluster.write("/t/file", blocks, 3);
    cluster.setPolicy("/t", ONE_SSD);
    return file;
  }

  private static MoverReport move() throws IOException {
    return cluster.move(LiveCluster.quick(), cluster.order("", "/t"));
  }

  /** First, while the SSDs hold nothing. */
  @Test
  @Order(1)
  void aTierThatFillsTakesWhatItHasRoomFor() throws IOException {
    Path file = file(10);
    setRoomOfSsds(2L * LiveCluster.BLOCK_BYTES + LiveCluster.BLOCK_BYTES / 2);

    MoverReport plan = Mover.plan(cluster.cluster(), LiveCluster.quick(), cluster.order("", "/t"));
    MoverReport report = move();

    assertThat(report.moved().replicas()).isEqualTo(plan.moved().replicas()).isEqualTo(6);
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly("no room in the wanted tier");
    assertThat(report.left().get(0).amount().replicas()).isEqualTo(4);
    assertThat(cluster.typesOf(file)).filteredOn("DISK DISK SSD"::equals).hasSize(6);
    cluster.assertWhole(file, 10);
    setRoomOfSsds(ROOM);
  }

  @Test
  @Order(6)
  @Tag("long")
  void aTierThatFillsMeanwhileIsSaidToBeFull() throws IOException {
    Path file = file(12);
    AtomicReference<IOException> failure = new AtomicReference<>();
    MoverReport report;
    // Slow enough that most blocks are still to come when the room goes.
    MoverSettings slow =
        LiveCluster.quick().atRates(2L * LiveCluster.BLOCK_BYTES, 2L * LiveCluster.BLOCK_BYTES);
    try (Mover mover = Mover.open(cluster.cluster(), slow.withMovesPerNode(1))) {
      report =
          mover.run(
              cluster.order("", "/t"),
              LiveCluster.at(
                  1,
                  () -> {
                    try {
                      setRoomOfSsds(LiveCluster.BLOCK_BYTES / 2);
                    } catch (IOException e) {
                      failure.set(e);
                    }
                  }));
    }
    setRoomOfSsds(ROOM);

    assertThat(failure.get()).isNull();
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .isNotEmpty()
        .isSubsetOf("its new node says that it has no room for it", "no room in the wanted tier");
    assertThat(report.moved().replicas() + report.left().get(0).amount().replicas())
        .isLessThanOrEqualTo(12);
    cluster.assertWhole(file, 12);
  }

  private static void setRoomOfSsds(long bytes) throws IOException {
    for (int node = FIRST_SSD; node < RACKS.length; node++) {
      cluster.setCapacity(node, bytes);
    }
  }

  @Test
  @Order(2)
  void copiesToTheTierAndTheNameNodeDropsTheOldReplica() throws IOException {
    int blocks = 4;
    Path file = file(blocks);
    MoverReport report;
    try (Watcher unused = new Watcher(cluster, List.of(file), blocks, 3)) {
      report = move();
    }

    assertThat(report.left()).isEmpty();
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
    assertThat(report.networkBytes()).isEqualTo(blocks * (long) LiveCluster.BLOCK_BYTES);
  }

  @Test
  @Order(3)
  void aCorruptReplicaIsPassedOverForAnotherSource() throws IOException {
    Path file = file(9);
    for (LocatedBlock block : cluster.blocks(file)) {
      corrupt(block, 0, 1);
    }

    MoverReport report = move();

    assertThat(report.left()).isEmpty();
    assertThat(cluster.typesOf(file)).allMatch(types -> types.contains("SSD"));
    cluster.assertWhole(file, 9);
  }

  @Test
  @Order(4)
  void aBlockWithoutAGoodReplicaStaysAndSaysWhy() throws IOException {
    Path file = file(2);
    corrupt(cluster.blocks(file).get(1), 0, 1, 2);

    MoverReport report = move();

    assertThat(report.moved().replicas()).isEqualTo(1);
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).reason()).matches("its replica on [0-9.:]+ is corrupt");
    assertThat(report.left().get(0).fault()).isTrue();
  }

  private static void corrupt(LocatedBlock block, int... nodes) throws IOException {
    for (int node : nodes) {
      cluster.mini().getMaterializedReplica(node, block.getBlock()).corruptData();
    }
  }

  @Test
  @Order(5)
  void nothingGoesToANodeThatLeavesAndItsOwnIsHdfss() throws IOException {
    Path file = file(4);
    cluster.setLeaving(FIRST_SSD, true);
    assertThat(move().left()).isEmpty();
    assertThat(nodesOf(file)).doesNotContain(uuid(FIRST_SSD));
    cluster.setLeaving(FIRST_SSD, false);

    Path onIt = file(2);
    cluster.setLeaving(0, true);
    MoverReport report = move();
    cluster.setLeaving(0, false);

    assertThat(report.moved().replicas()).isZero();
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .isNotEmpty()
        .isSubsetOf(
            "one of its nodes is being decommissioned or in maintenance",
            "HDFS has yet to drop a replica too many");
    cluster.assertWhole(onIt, 2);
  }

  @Test
  @Order(7)
  void nothingGoesToANodeInMaintenance() throws IOException {
    Path file = file(4);
    cluster.setInMaintenance(FIRST_SSD, true);
    try {
      assertThat(move().left()).isEmpty();
    } finally {
      cluster.setInMaintenance(FIRST_SSD, false);
    }

    assertThat(nodesOf(file)).doesNotContain(uuid(FIRST_SSD));
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
  }

  /** Copies that are under way arrive on it, and HDFS copies them to another node. */
  @Test
  @Order(8)
  void aNodeThatBeginsToLeaveMeanwhileEndsWithNothingLost() throws IOException {
    int blocks = 12;
    Path file = file(blocks);
    MoverReport report;
    try (Watcher unused = new Watcher(cluster, List.of(file), blocks, 3)) {
      report =
          movesWhile(4L * LiveCluster.BLOCK_BYTES, begins -> cluster.setLeaving(FIRST_SSD, begins));
    }

    assertThat(report.left()).noneMatch(MoverReport.Left::fault);
    LiveCluster.await("three replicas", () -> nodesOf(file).size() == 3 * blocks);
    assertThat(move().left()).isEmpty();
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
  }

  /** A node that many copies are read from. */
  @Test
  @Order(9)
  void aNodeThatEntersMaintenanceMeanwhileEndsWithNothingLost() throws IOException {
    assertNothingIsLostWhileInMaintenance(0);
  }

  /** A node that copies go to. Long: make test has such a node that begins to leave. */
  @Tag("long")
  @Test
  @Order(10)
  void aTargetThatEntersMaintenanceMeanwhileEndsWithNothingLost() throws IOException {
    assertNothingIsLostWhileInMaintenance(FIRST_SSD);
  }

  /** HDFS shows nobody the replicas of such a node, and drops none while it counts on them. */
  private static void assertNothingIsLostWhileInMaintenance(int node) throws IOException {
    int blocks = 12;
    Path file = file(blocks);
    AtomicReference<AdminStates> state = new AtomicReference<>();
    MoverReport report;
    try (Watcher unused = new Watcher(cluster, List.of(file), blocks, 2);
        Watcher unusedToo = Watcher.ofDataNodes(cluster, List.of(file), 3)) {
      // So slow that most moves begin when HDFS has the node in maintenance.
      report =
          movesWhile(
              LiveCluster.BLOCK_BYTES / 2,
              begins -> {
                state.set(cluster.state(node));
                cluster.setInMaintenance(node, begins);
              });
      assertThat(state.get()).isEqualTo(AdminStates.IN_MAINTENANCE);
      assertThat(report.left()).noneMatch(MoverReport.Left::fault);
      LiveCluster.await("three replicas", () -> nodesOf(file).size() == 3 * blocks);
      assertThat(move().left()).isEmpty();
    }
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
  }

  private interface Change {
    void make(boolean begins) throws IOException;
  }

  /** A run during which something begins when the first replica is in place; it ends after it. */
  private static MoverReport movesWhile(long nodeBytesPerSecond, Change change) throws IOException {
    MoverSettings slow =
        LiveCluster.quick().atRates(nodeBytesPerSecond, 1L << 40).withPatience(PATIENCE_SECONDS);
    AtomicReference<IOException> failure = new AtomicReference<>();
    MoverReport report;
    try (Mover mover = Mover.open(cluster.cluster(), slow)) {
      report =
          mover.run(
              cluster.order("", "/t"),
              LiveCluster.at(
                  1,
                  () -> {
                    try {
                      change.make(true);
                    } catch (IOException e) {
                      failure.set(e);
                    }
                  }));
    } finally {
      change.make(false);
    }
    assertThat(failure.get()).isNull();
    return report;
  }

  private static String uuid(int node) {
    return cluster.mini().getDataNodes().get(node).getDatanodeUuid();
  }

  private static List<String> nodesOf(Path file) throws IOException {
    List<String> nodes = new ArrayList<>();
    for (LocatedBlock block : cluster.blocks(file)) {
      Arrays.stream(block.getLocations()).forEach(node -> nodes.add(node.getDatanodeUuid()));
    }
    return nodes;
  }

  /** Behind the others, since the nodes that come back are others in the mini cluster's order. */
  @Test
  @Order(Integer.MAX_VALUE - 1)
  void nodesThatStartAgainMeanwhileTakeTheRest() throws Exception {
    Path file = file(12);
    MiniDFSCluster mini = cluster.mini();
    List<DataNodeProperties> stopped = new ArrayList<>();
    CompletableFuture<Void> started = new CompletableFuture<>();
    MoverReport report;
    try (Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick().withMovesPerNode(1))) {
      report =
          mover.run(
              cluster.order("", "/t"),
              LiveCluster.at(
                  1,
                  () -> {
                    for (int node = FIRST_SSD; node < RACKS.length; node++) {
                      stopped.add(mini.stopDataNode(FIRST_SSD));
                    }
                    started.completeAsync(
                        () -> startAgain(stopped),
                        CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS));
                  }));
    }
    started.get(1, TimeUnit.MINUTES);

    assertThat(report.left()).isEmpty();
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
    cluster.assertWhole(file, 12);
  }

  private static Void startAgain(List<DataNodeProperties> nodes) {
    try {
      for (DataNodeProperties node : nodes) {
        assertThat(cluster.mini().restartDataNode(node, true)).isTrue();
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Last, since a node is missing then. */
  @Test
  @Order(Integer.MAX_VALUE)
  void aTargetThatDiesIsReplacedByAnotherOne() throws IOException {
    Path file = file(12);
    MiniDFSCluster mini = cluster.mini();
    MoverReport report;
    MoverSettings settings = LiveCluster.quick().withMovesPerNode(1).withPatience(PATIENCE_SECONDS);
    try (Mover mover = Mover.open(cluster.cluster(), settings)) {
      report =
          mover.run(
              cluster.order("", "/t"),
              LiveCluster.at(1, () -> assertThat(mini.stopDataNode(FIRST_SSD)).isNotNull()));
    }

    assertThat(report.moved().replicas()).isGreaterThan(6);
    assertThat(cluster.typesOf(file))
        .filteredOn(types -> types.contains("SSD"))
        .hasSizeGreaterThan(6);
    cluster.assertWhole(file, 12);
    assertThat(report.left()).allMatch(left -> left.example().equals("/t/file"));
  }
}
