package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A DataNode that takes moves and does not answer, since a disk hangs under it, with more blocks
 * than a run has under way. It is asked in turns of four, and each turn waits for as long as an
 * answer may take.
 */
class SilentNodeIT {
  private static final int HUNG = 0;
  private static final int MANY = MovementLimits.BLOCKS_AT_ONCE + 30;
  private static final int OTHERS = 24;
  private static final int BYTES = 1_000;
  private static final int WRITERS = 4;
  private static final String SLOTS_KEY =
      DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_KEY;

  /** Answers are waited for for five times as long. */
  private static final int TIMEOUT_MILLIS = 2_000;

  /** Some turns of such waits, where all blocks of the node would take 136. */
  private static final int SECONDS_MAX = 90;

  private static LiveCluster cluster;

  private final List<String> said = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = LiveCluster.withPlugin();
    LiveCluster.haveHdfsHurry(conf);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, TIMEOUT_MILLIS);
    cluster = LiveCluster.ofMixedNodes(conf, "/r1", "/r1", "/r2", "/r2");
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void clear() throws IOException {
    cluster.fs().delete(new Path("/t"), true);
  }

  /** Small files of a block each, with a replica on the disk of each of those nodes. */
  private static void write(String name, int count, int... nodes) throws Exception {
    InetSocketAddress[] favored = new InetSocketAddress[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      favored[i] = cluster.mini().getDataNodes().get(nodes[i]).getXferAddress();
    }
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Callable<Void>> files = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Path file = new Path("/t/" + name + i);
        files.add(() -> write(file, favored));
      }
      for (Future<Void> written : writers.invokeAll(files)) {
        written.get();
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private static Void write(Path file, InetSocketAddress[] favored) throws IOException {
    try (FSDataOutputStream out =
        cluster
            .fs()
            .create(
                file,
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) favored.length,
                LiveCluster.BLOCK_BYTES,
                null,
                favored)) {
      out.write(new byte[BYTES]);
    }
    return null;
  }

  private static long onSsd(String name, int count) throws IOException {
    long found = 0;
    for (int i = 0; i < count; i++) {
      boolean all =
          cluster.typesOf(new Path("/t/" + name + i)).stream()
              .allMatch(types -> types.matches("SSD( SSD)*"));
      found += all ? 1 : 0;
    }
    return found;
  }

  private static String hungNode() {
    return ":" + cluster.mini().getDataNodes().get(HUNG).getXferPort();
  }

  private MoverReport move(MoverSettings settings, MoveOrder order, JournalRun journal)
      throws IOException {
    try (Mover mover = Mover.open(cluster.cluster(), settings, new MoverMemory(said::add))) {
      return mover.writingTo(journal).run(order, Listener.Step.SILENT);
    }
  }

  private static Journal journal() throws IOException {
    return new Journal(Files.createTempDirectory("journal"));
  }

  private MoverReport move(MoverSettings settings, Journal journal, String layout)
      throws IOException {
    try (JournalRun run = journal.begin("test", "me", "here", List.of("/t"), layout, null)) {
      return move(settings, cluster.order(layout, "/t"), run);
    }
  }

  private void assertSaidOnce(String what) {
    assertThat(said)
        .singleElement()
        .asString()
        .contains(hungNode(), what, "nothing is moved to or from");
  }

  @Test
  @Timeout(240)
  void blocksOfOtherNodesAreInPlaceTheRestIsGivenBackAndTheRunEnds() throws Exception {
    write("a-hung-", MANY, HUNG);
    write("b-other-", OTHERS, 1);
    Journal journal = journal();

    MoverReport report;
    try (HungVolume unused = HungVolume.of(cluster, HUNG, StorageType.SSD)) {
      report = move(LiveCluster.quick(), journal, "layout:1 x ssd");
    }

    assertThat(onSsd("b-other-", OTHERS)).isEqualTo(OTHERS);
    assertThat(report.moved().replicas()).isEqualTo(OTHERS);
    assertThat(report.seconds()).isLessThan(SECONDS_MAX);
    assertThat(report.complete()).isFalse();
    assertThat(report.left()).allSatisfy(left -> assertThat(left.reason()).contains(hungNode()));
    assertThat(report.left().stream().mapToLong(left -> left.amount().replicas()).sum())
        .isEqualTo(MANY);
    assertSaidOnce("took a move and did not answer");
    // The node may still make them: an undo is to look.
    List<PastRun.Step> steps = Steps.of(PastRun.read(journal, journal.runs().get(0)));
    assertThat(steps.stream().filter(step -> step.result() == null))
        .hasSizeBetween(1, LiveCluster.quick().limits().movesPerNode());
  }

  /** Long: make test has the same node with moves that have no other way. */
  @Tag("long")
  @Test
  @Timeout(240)
  void replicasThatHaveAnotherWayTakeIt() throws Exception {
    write("a-hung-", OTHERS, HUNG, 2);
    cluster.setPolicy("/t", "layout:2 x ssd");

    MoverReport report;
    try (HungVolume unused = HungVolume.of(cluster, HUNG, StorageType.SSD)) {
      report = move(LiveCluster.quick(), journal(), "");
      assertThat(onSsd("a-hung-", OTHERS)).isEqualTo(OTHERS);
    }

    assertThat(report.complete()).isTrue();
    assertSaidOnce("took a move and did not answer");
  }

  /** Another tool has its only turn, and does not end. */
  @Test
  @Timeout(240)
  void aNodeThatStaysBusyIsNotAskedForEver() throws Exception {
    write("a-hung-", OTHERS, HUNG);
    write("b-other-", OTHERS, 1);
    DataNode node = cluster.mini().getDataNodes().get(HUNG);
    node.reconfigureProperty(SLOTS_KEY, "1");

    MoverReport report;
    try (HungVolume unused = HungVolume.of(cluster, HUNG, StorageType.SSD)) {
      takeOnlyTurn(node);
      report = move(LiveCluster.quick().withPatience(3), journal(), "layout:1 x ssd");
    } finally {
      node.reconfigureProperty(SLOTS_KEY, null);
    }

    assertThat(onSsd("b-other-", OTHERS)).isEqualTo(OTHERS);
    assertThat(report.moved().replicas()).isEqualTo(OTHERS);
    assertThat(report.left()).allSatisfy(left -> assertThat(left.reason()).contains(hungNode()));
    assertSaidOnce("refused moves for");
  }

  /** Of two moves one hangs, and the other one is refused. */
  private static void takeOnlyTurn(DataNode node) throws Exception {
    LocatedBlock block = cluster.blocks(new Path("/t/a-hung-0")).get(0);
    List<CompletableFuture<Status>> moves =
        Stream.of(1, 2)
            .map(
                unused ->
                    CompletableFuture.supplyAsync(
                        () ->
                            ForeignMoves.move(
                                block,
                                block.getLocations()[0],
                                node.getXferPort(),
                                StorageType.SSD)))
            .toList();
    Object refused = CompletableFuture.anyOf(moves.get(0), moves.get(1)).get(1, TimeUnit.MINUTES);
    assertThat(refused).isEqualTo(Status.ERROR);
  }

  /** Long: make test has the same node in a run of moves. */
  @Tag("long")
  @Test
  @Timeout(240)
  void repairsOfOtherNodesAreMadeInTheSameRound() throws Exception {
    SeenMonitor monitor = new SeenMonitor(cluster);
    write("a-hung-", MANY, HUNG);
    write("b-other-", OTHERS, 1);
    cluster.setPolicy("/t", "layout:1 x ssd");
    monitor.walk();

    try (HungVolume unused = HungVolume.of(cluster, HUNG, StorageType.SSD)) {
      Repairs.Round round =
          monitor
              .repairs(journal(), LiveCluster.quick(), 1)
              .lockingFor(TimeUnit.MINUTES.toNanos(1))
              .round();
      assertThat(onSsd("b-other-", OTHERS)).isEqualTo(OTHERS);
      assertThat(round.done()).isEqualTo(OTHERS);
    }
    said.addAll(monitor.said());
    assertSaidOnce("took a move and did not answer");
  }
}
