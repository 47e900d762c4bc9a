package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.mover.Repairs.Round;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The monitor's finds, repaired on a live cluster with HDFS's stock defaults. */
@ExtendWith(MixedCluster.class)
class RepairsIT {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final String SSDS = "SSD SSD SSD";
  private static final String DISKS = "DISK DISK DISK";
  private static final String MONITOR = "io.tierwise.hadoop.hdfs.namenode.Monitor";
  private static final int BLOCKS = 3;
  private static final int MANY = 13;
  private static final double NO_END_SECONDS = 600;
  private static final long ENDED_MILLIS_MAX = 60_000;
  private static final long STILL_NANOS = 2_000_000_000L;

  private final LiveCluster cluster;
  private final SeenMonitor monitor;
  private Journal journal;

  RepairsIT(LiveCluster cluster) {
    this.cluster = cluster;
    this.monitor = new SeenMonitor(cluster);
  }

  @BeforeEach
  void makeJournal() throws IOException {
    journal = new Journal(Files.createTempDirectory("tierwise-journal"));
  }

  private Repairs repairs() throws IOException {
    return monitor.repairs(journal);
  }

  private void walk() throws IOException {
    monitor.walk();
  }

  private Path misplaced() throws IOException {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
    cluster.setPolicy("/t", ALL_SSD);
    walk();
    assertThat(shown("BacklogBlocks", "missing_copy")).isEqualTo(BLOCKS);
    return file;
  }

  @Test
  void whatAPolicyWantsElsewhereIsMovedWithItsJournalAndCounted() throws IOException {
    long movedBefore = shown("MovedReplicas", "up");
    Path file = misplaced();
    Object moverBefore = shown("MoverState");

    RepairPreview preview = repairs().preview();
    assertThat(preview.nothingWaits()).isFalse();
    assertThat(preview.monitor().backlogBlocks().get("missing_copy")).isEqualTo(BLOCKS);
    assertThat(preview.asked()).isEqualTo(BLOCKS);
    assertThat(preview.plan().moved().replicas()).isEqualTo(3 * BLOCKS);
    assertThat(String.join("\n", preview.lines()))
        .contains("missing copy", "would move 9 replicas", "of 3 blocks that a mover would get");
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
    assertThat(shown("MoverState")).isEqualTo(moverBefore);

    Round round = repairs().round();

    assertThat(cluster.typesOf(file)).containsOnly(SSDS);
    cluster.assertWhole(file, BLOCKS);
    assertThat(round)
        .isEqualTo(new Round(BLOCKS, BLOCKS, 3 * BLOCKS, 3L * BLOCKS * LiveCluster.BLOCK_BYTES));
    assertThat(shown("BacklogBlocks", "missing_copy")).isZero();
    assertThat(shown("MovedReplicas", "up") - movedBefore).isEqualTo(3 * BLOCKS);
    assertThat(shown("MoverState")).isEqualTo("idle");
    assertThat(shown("MoverLimitBytesPerSecond", "node")).isEqualTo(1L << 40);
    assertThat(journal.runs()).hasSize(1);
    walk();
    assertThat(shown("QueueBlocks")).isEqualTo(0);
    assertThat(repairs().preview().nothingWaits()).isTrue();
    assertThat(repairs().round()).isEqualTo(new Round(0, 0, 0, 0));
  }

  /** As on a full disk: else each of the mover's threads would try, in each of its rounds. */
  @Test
  void aJournalThatCannotBeBegunIsTriedOnceARoundAndEverLessOften() throws IOException {
    Path file = misplaced();
    AtomicInteger tries = new AtomicInteger();
    Repairs repairs =
        new Repairs(
            cluster.fs(),
            cluster.clientConf(),
            LiveCluster.quick(),
            () -> {
              tries.incrementAndGet();
              throw new IOException("the disk is full");
            },
            line -> {});
    long before = repairs.awayMillis();
    for (int round = 1; round <= 2; round++) {
      assertThatThrownBy(repairs::round)
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("the disk is full");
      assertThat(tries).hasValue(round);
      assertThat(repairs.awayMillis()).isEqualTo(before << round);
    }
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
  }

  @Tag("long")
  @Test
  void whatHadoopsMoverMovesBackIsLeftAlone() throws Exception {
    long backOffsBefore = shown("BackOffs", "mover");
    int aloneBefore = (int) shown("LeftAloneBlocks");
    Path file = misplaced();
    assertThat(repairs().round().done()).isEqualTo(BLOCKS);

    int code =
        ToolRunner.run(
            cluster.fs().getConf(),
            new org.apache.hadoop.hdfs.server.mover.Mover.Cli(),
            new String[] {"-p", "/t"});
    assertThat(code).isZero();
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
    walk();

    assertThat(shown("BackOffs", "mover") - backOffsBefore).isEqualTo(BLOCKS);
    assertThat((int) shown("LeftAloneBlocks") - aloneBefore).isEqualTo(BLOCKS);
    assertThat(shown("QueueBlocks")).isEqualTo(0);
    assertThat(repairs().round()).isEqualTo(new Round(0, 0, 0, 0));
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);

    // Another wish is a new beginning.
    cluster.setPolicy("/t/other", "stock");
    cluster
        .fs()
        .setXAttr(
            new Path("/t"),
            "user.tierwise.placement",
            "layout:2 x ssd + 1 x disk".getBytes(StandardCharsets.UTF_8));
    walk();
    assertThat(repairs().round().done()).isEqualTo(BLOCKS);
    assertThat(cluster.typesOf(file)).containsOnly("DISK SSD SSD");
  }

  /** It holds a file of its own open while it runs; what another tool did was said before. */
  @Test
  void whatTheBalancerMovesBackIsLeftAloneAndSaidToBeItsWork() throws IOException {
    int aloneBefore = (int) shown("LeftAloneBlocks");
    Path before = misplaced();
    assertThat(repairs().round().done()).isEqualTo(BLOCKS);
    moveBack(before);
    walk();
    assertThat((int) shown("LeftAloneBlocks") - aloneBefore).isEqualTo(BLOCKS);
    cluster.fs().delete(new Path("/t"), true);

    long backOffsBefore = shown("BackOffs", "balancer");
    Path file = misplaced();
    assertThat(repairs().round().done()).isEqualTo(BLOCKS);
    Path lock = new Path("/system/balancer.id");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(MONITOR));
    try (FSDataOutputStream held = cluster.fs().create(lock)) {
      assertThat(held).isNotNull();
      moveBack(file);
      walk();
    } finally {
      log.stopCapturing();
    }
    cluster.fs().delete(lock, false);

    assertThat(shown("BackOffs", "balancer") - backOffsBefore).isEqualTo(BLOCKS);
    assertThat(log.getOutput()).contains("were moved back by Hadoop's Balancer (on ");
    assertThat(repairs().round()).isEqualTo(new Round(0, 0, 0, 0));
    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
  }

  private void moveBack(Path file) throws IOException {
    for (LocatedBlock block : cluster.blocks(file)) {
      for (DatanodeInfo node : block.getLocations()) {
        assertThat(ForeignMoves.move(block, node, node.getXferPort(), StorageType.DISK))
            .isEqualTo(Status.SUCCESS);
      }
    }
    LiveCluster.await(
        "all back on disks", () -> cluster.typesOf(file).stream().allMatch(DISKS::equals));
  }

  @Test
  void aMoveOfAUserHasTheLockFirstAndTheMonitorSaysSo() throws IOException {
    Path file = misplaced();
    try (Mover other = Mover.open(cluster.cluster(), LiveCluster.quick())) {
      assertThat(other).isNotNull();
      assertThatThrownBy(() -> repairs().round())
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("another mover runs on this cluster");
      assertThat(shown("MoverState")).isEqualTo("locked_out");
      assertThat(cluster.typesOf(file)).containsOnly(DISKS);
    }
    assertThat(repairs().round().done()).isEqualTo(BLOCKS);
    assertThat(cluster.typesOf(file)).containsOnly(SSDS);
  }

  @Test
  void aBlockOfADeletedFileIsNothingToRepair() throws IOException {
    Path file = misplaced();
    cluster.fs().delete(file, false);
    assertThat(repairs().round().replicas()).isZero();
    assertThat(shown("QueueBlocks")).isEqualTo(0);
    assertThat(journal.runs()).as("of a round that moves nothing").isEmpty();
  }

  @Test
  void aFileThatIsDeletedAfterItsBlockWasGivenOutHoldsUpNoOther() throws IOException {
    List<Work> work = new ArrayList<>();
    for (String name : List.of("/t/first", "/t/deleted", "/t/last")) {
      Path file = cluster.write(name, 1, 3);
      long id = cluster.fs().getClient().getFileInfo(name).getFileId();
      long block = cluster.blocks(file).get(0).getBlock().getBlockId();
      work.add(new Work(block, id, 0, 1, "fallback", ALL_SSD, name));
    }
    cluster.setPolicy("/t", ALL_SSD);
    RepairBatch batch = new RepairBatch(work, cluster.cluster().judge());
    cluster.fs().delete(new Path("/t/deleted"), false);

    try (Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick())) {
      mover.repair(batch, Listener.Step.SILENT, NO_END_SECONDS);
    }

    assertThat(batch.results())
        .extracting(Result::outcome)
        .containsExactly(Outcome.DONE, Outcome.VOID, Outcome.DONE);
    assertThat(cluster.typesOf(new Path("/t/last"))).containsExactly(SSDS);
  }

  @Test
  void nobodyButTheSuperuserGetsBlocksOrTellsOfThem() throws Exception {
    misplaced();
    UserGroupInformation other = UserGroupInformation.createRemoteUser("somebody");
    other.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DistributedFileSystem fs = new DistributedFileSystem()) {
                fs.initialize(cluster.fs().getUri(), cluster.clientConf());
                NameNodePlugin plugin = new NameNodePlugin(fs, cluster.clientConf());
                for (String question : List.of(RepairCalls.ASK, RepairCalls.TELL)) {
                  assertThatThrownBy(
                          () ->
                              plugin.answer(
                                  plugin.ofActive(), question, "1", "0", "IDLE", "1", "1"))
                      .hasMessageContaining("Access denied for user somebody");
                }
              }
              return null;
            });
  }

  @Test
  void aStoppedRunEndsAndTellsWhatItDid() throws Exception {
    misplaced();
    Repairs running = repairs();
    List<Round> rounds = new CopyOnWriteArrayList<>();
    Thread thread = new Thread(() -> running.run(60_000, rounds::add));
    thread.start();
    LiveCluster.await("a repair", () -> !rounds.isEmpty());
    running.stop();
    thread.join(ENDED_MILLIS_MAX);
    assertThat(thread.isAlive()).isFalse();
    assertThat(rounds).containsExactly(new Round(BLOCKS, BLOCKS, 9, 9L * LiveCluster.BLOCK_BYTES));
    assertThat(monitor.said()).isEmpty();
  }

  /** More blocks than five nodes move in a second at that rate. */
  private Path manyMisplaced() throws IOException {
    Path file = cluster.write("/t/file", MANY, 3);
    cluster.setPolicy("/t", ALL_SSD);
    return file;
  }

  private static MoverSettings atBytesPerSecond(long bytes) {
    return LiveCluster.quick().atRates(bytes, 1L << 40);
  }

  @Test
  void aBatchThatTakesTooLongGivesTheRestBackUntried() throws IOException {
    Path file = manyMisplaced();
    long id = cluster.fs().getClient().getFileInfo("/t/file").getFileId();
    List<Work> work = new ArrayList<>();
    for (LocatedBlock block : cluster.blocks(file)) {
      long blockId = block.getBlock().getBlockId();
      work.add(new Work(blockId, id, work.size(), 1, "fallback", ALL_SSD, "/t/file"));
    }
    RepairBatch batch = new RepairBatch(work, cluster.cluster().judge());

    MoverSettings slow = atBytesPerSecond(LiveCluster.BLOCK_BYTES);
    try (Mover mover = Mover.open(cluster.cluster(), slow)) {
      mover.repair(batch, Listener.Step.SILENT, 1);
    }

    List<Outcome> outcomes = batch.results().stream().map(Result::outcome).toList();
    assertThat(outcomes).contains(Outcome.UNTRIED).doesNotContain(Outcome.FAILED, Outcome.VOID);
    List<String> types = cluster.typesOf(file);
    for (int block = 0; block < MANY; block++) {
      assertThat(types.get(block)).isEqualTo(outcomes.get(block) == Outcome.DONE ? SSDS : DISKS);
    }
  }

  @Test
  void blocksThatCameInTwoBatchesAreCountedOnce() throws IOException {
    Path file = manyMisplaced();
    walk();

    Round round = monitor.repairs(journal, atBytesPerSecond(LiveCluster.BLOCK_BYTES), 1).round();

    assertThat(round)
        .isEqualTo(new Round(MANY, MANY, 3 * MANY, 3L * MANY * LiveCluster.BLOCK_BYTES));
    assertThat(cluster.typesOf(file)).containsOnly(SSDS);
  }

  /** Ctrl-C and systemd interrupt its thread, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatAnEndedRunHadLeftIsGivenOutAgainAtOnce(boolean interrupted) throws Exception {
    Path file = manyMisplaced();
    walk();
    long failuresBefore = shown("Failures", "failed");
    // After the first moves none starts for minutes.
    Repairs running =
        monitor.repairs(journal, atBytesPerSecond(LiveCluster.BLOCK_BYTES / 256), NO_END_SECONDS);
    Thread thread = new Thread(() -> running.run(ENDED_MILLIS_MAX, round -> {}));
    thread.start();
    awaitStill(file);

    if (interrupted) {
      thread.interrupt();
    }
    running.stop();
    thread.join(ENDED_MILLIS_MAX);

    assertThat(thread.isAlive()).isFalse();
    assertThat(shown("Failures", "failed")).isEqualTo(failuresBefore);
    long whole = cluster.typesOf(file).stream().filter(SSDS::equals).count();
    assertThat(whole).isLessThan(MANY);
    assertThat(repairs().preview().asked()).isBetween(MANY - whole, (long) MANY);
  }

  /** Waits until some replicas have moved, and no further one follows. */
  private void awaitStill(Path file) throws IOException {
    List<String> seen = new ArrayList<>();
    long[] sinceNanos = {System.nanoTime()};
    LiveCluster.await(
        "the first moves",
        () -> {
          List<String> now = cluster.typesOf(file);
          if (!now.equals(seen)) {
            seen.clear();
            seen.addAll(now);
            sinceNanos[0] = System.nanoTime();
          }
          return now.toString().contains("SSD") && System.nanoTime() - sinceNanos[0] > STILL_NANOS;
        });
  }
}
