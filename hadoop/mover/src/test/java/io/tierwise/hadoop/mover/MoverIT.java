package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Moves inside nodes, on a NameNode with the plug-in. */
@ExtendWith(MixedCluster.class)
class MoverIT extends RegionCases {
  private static final String ALL_SSD = "layout:3 x ssd";
  private static final String ALL_DISK = "layout:3 x disk";
  private static final String SSDS = "SSD SSD SSD";
  private static final String DISKS = "DISK DISK DISK";
  private static final int BLOCKS = 3;

  private final LiveCluster cluster;

  MoverIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  @Override
  LiveCluster live() {
    return cluster;
  }

  private List<Path> files(int count) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(cluster.write("/t/file" + i, BLOCKS, 3));
    }
    return files;
  }

  private void assertAll(List<Path> files, String types) throws IOException {
    for (Path file : files) {
      assertThat(cluster.typesOf(file)).containsOnly(types);
    }
  }

  @Test
  void aDirectoryChangesItsTierWhileItIsRead() throws IOException {
    List<Path> files = files(6);
    MoverReport report;
    try (Watcher watcher = new Watcher(cluster, files, BLOCKS, 3)) {
      report = cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t"));
      LiveCluster.await("a reader that went round", () -> watcher.reads() > files.size());
    }

    assertAll(files, SSDS);
    assertThat(report.complete()).isTrue();
    assertThat(report.looked().files()).isEqualTo(6);
    assertThat(report.looked().blocks()).isEqualTo(6 * BLOCKS);
    assertThat(report.moved())
        .isEqualTo(new MoverReport.Amount(18 * 3, 54L * LiveCluster.BLOCK_BYTES));
    assertThat(report.networkBytes()).isZero();
    assertThat(report.tiers())
        .containsExactly(
            new MoverReport.TierChange("ssd", 54L * LiveCluster.BLOCK_BYTES, 0),
            new MoverReport.TierChange("disk", 0, 54L * LiveCluster.BLOCK_BYTES));
  }

  @Test
  void aPlanChangesNothingAndSaysWhatARunDoes() throws IOException {
    List<Path> files = files(2);

    MoverReport plan =
        Mover.plan(cluster.cluster(), MoverSettings.DEFAULT, cluster.order(ALL_SSD, "/t"));

    assertAll(files, DISKS);
    MoverReport run = cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t"));
    assertThat(plan.moved()).isEqualTo(run.moved());
    assertThat(plan.tiers()).isEqualTo(run.tiers());
    // Two files of three blocks, three replicas each, over nodes of five moves a second.
    assertThat(plan.seconds()).isBetween(18.0 / 5 / 5, 18.0 / 5);
    MoverReport again =
        Mover.plan(cluster.cluster(), MoverSettings.DEFAULT, cluster.order(ALL_SSD, "/t"));
    assertThat(again.moved().replicas()).isZero();
    assertThat(again.looked().blocksAsWanted()).isEqualTo(6);
  }

  /** HDFS drops at heartbeats: a plan sees what it has yet to drop, a run waits for it. */
  @Test
  void blocksThatHdfsHasYetToDropReplicasOfAreWaitedFor() throws IOException {
    List<Path> files = files(2);
    haveHeartbeats(false);
    for (Path file : files) {
      cluster.fs().setReplication(file, (short) 2);
    }
    MoveOrder order = cluster.order("layout:2 x ssd", "/t");
    MoverReport plan = Mover.plan(cluster.cluster(), LiveCluster.quick(), order);
    haveHeartbeats(true);

    MoverReport run = cluster.move(LiveCluster.quick(), order);

    assertThat(plan.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly("HDFS has yet to drop a replica too many");
    assertThat(run.complete()).as("%s", run.left()).isTrue();
    assertThat(run.looked().blocks()).isEqualTo(2 * BLOCKS);
    assertThat(run.moved().replicas()).isEqualTo(2 * 2 * BLOCKS);
    assertAll(files, "SSD SSD");
  }

  private void haveHeartbeats(boolean wanted) {
    for (DataNode node : cluster.mini().getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, !wanted);
    }
  }

  @Test
  void whatIsStoredFollowsThePolicyOfEachFile() throws IOException {
    List<Path> files = files(2);
    Path other = cluster.write("/t/plain/file", 1, 3);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    cluster.setPolicy("/t/plain", "stock");

    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order("", "/t"));

    assertAll(files, "DISK DISK SSD");
    assertThat(cluster.typesOf(other)).containsOnly(DISKS);
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly("it is under no policy");
  }

  @Test
  void replicasThatMoveToAnotherTierKeepTheirNumber() throws IOException {
    List<Path> files = files(2);
    cluster.setPolicy("/t", "layout:3 x disk");
    FileTiers tiers = new FileTiers(cluster.cluster());

    FileTiers.Change change = tiers.moveTier("/t", "disk", "ssd", 2);
    try (JournalRun journal =
        new Journal(Files.createTempDirectory("journal"))
            .begin("test", "me", "here", List.of("/t"), "", null)) {
      assertThat(tiers.apply(change, journal)).isOne();
    }
    cluster.move(LiveCluster.quick(), cluster.order("", "/t"));

    assertThat(change.after()).isEqualTo("layout:2 x ssd + 1 x disk");
    assertThat(change.filesToChange()).isZero();
    assertThat(BlocksPending.below(cluster.fs(), "/t").all()).isZero();
    assertAll(files, "DISK SSD SSD");
  }

  @Test
  void theRateHolds() throws IOException {
    files(2);
    // Five nodes at 1 MiB a second take 54 replicas' worth of 18 MiB in more than three seconds.
    MoverSettings slow = LiveCluster.quick().atRates(1 << 20, 1L << 40);

    MoverReport report = cluster.move(slow, cluster.order(ALL_SSD, "/t"));

    assertThat(report.complete()).isTrue();
    assertThat(report.seconds()).isGreaterThan(18.0 / 5 - 1);
  }

  /** Long: make test has the rates of a node and of all. */
  @Tag("long")
  @Test
  void theRateOfAVolumeHoldsAndThePlanSaysHowLongThatTakes() throws IOException {
    assertTakesAsPlanned(LiveCluster.quick().atVolumeRate(1 << 20), 18.0 / 5);
  }

  @Test
  void theRateOfAllHoldsAndThePlanSaysHowLongThatTakes() throws IOException {
    assertTakesAsPlanned(LiveCluster.quick().atRates(1L << 40, 4 << 20), 18.0 / 4);
  }

  /** Two files take so many seconds at least, but for the last moves. */
  private void assertTakesAsPlanned(MoverSettings slow, double seconds) throws IOException {
    files(2);
    MoveOrder order = cluster.order(ALL_SSD, "/t");
    double planned = Mover.plan(cluster.cluster(), slow, order).seconds();

    MoverReport report = cluster.move(slow, order);

    assertThat(report.complete()).isTrue();
    assertThat(planned).isGreaterThan(seconds - 1);
    assertThat(report.seconds()).isGreaterThan(planned - 1);
  }

  /** Ends a mover after so many replicas are in place; it is over soon. */
  private MoverReport stopAfter(int replicas, MoveOrder order) throws IOException {
    AtomicLong stoppedNanos = new AtomicLong();
    MoverReport report;
    try (Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick())) {
      Runnable stop =
          () -> {
            stoppedNanos.set(System.nanoTime());
            mover.stop();
          };
      if (replicas == 0) {
        stop.run();
      }
      report = mover.run(order, LiveCluster.at(replicas, stop));
    }
    assertThat((System.nanoTime() - stoppedNanos.get()) / 1e9).isLessThan(60);
    return report;
  }

  private void stopAtPoints(int points, long seed) throws IOException {
    Random random = new Random(seed);
    List<Path> files = files(3);
    int replicas = 3 * BLOCKS * 3;
    try (Watcher unused = new Watcher(cluster, files, BLOCKS, 3)) {
      for (int point = 0; point < points; point++) {
        String layout = point % 2 == 0 ? ALL_SSD : ALL_DISK;
        MoveOrder order = cluster.order(layout, "/t");
        int at = random.nextInt(replicas);
        assertThat(stopAfter(at, order).stopped()).isTrue();

        MoverReport rest = cluster.move(LiveCluster.quick(), order);
        assertThat(rest.left()).as("point %s, stopped at %s", point, at).isEmpty();
        assertAll(files, point % 2 == 0 ? SSDS : DISKS);
      }
    }
  }

  @Test
  void aMoverThatIsEndedAnywhereLeavesTheRestToTheNext() throws IOException {
    stopAtPoints(10, 1);
  }

  @Test
  @Tag("long")
  void aMoverThatIsEndedAtManyPointsLeavesTheRestToTheNext() throws IOException {
    stopAtPoints(100, 2);
  }

  @Test
  void filesThatChangeMeanwhileAreNotHurt() throws IOException {
    List<Path> files = files(6);
    AtomicReference<IOException> failure = new AtomicReference<>();
    DistributedFileSystem fs = cluster.fs();
    Path renamed = new Path("/t/renamed");
    Path below = cluster.write("/t/below/file", 1, 3);
    MoverReport report;
    try (Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick().withMovesPerNode(1))) {
      report =
          mover.run(
              cluster.order(ALL_SSD, "/t"),
              LiveCluster.at(
                  2,
                  () -> {
                    try {
                      assertThat(fs.setReplication(files.get(1), (short) 2)).isTrue();
                      assertThat(fs.truncate(files.get(2), 2L * LiveCluster.BLOCK_BYTES)).isTrue();
                      fs.delete(files.get(3), false);
                      fs.rename(files.get(4), renamed);
                      try (FSDataOutputStream out = fs.append(files.get(5))) {
                        out.write(new byte[LiveCluster.BLOCK_BYTES / 2]);
                      }
                      fs.allowSnapshot(new Path("/t/below"));
                      fs.createSnapshot(new Path("/t/below"), "s");
                    } catch (IOException e) {
                      failure.set(e);
                    }
                  }));
    }
    assertThat(failure.get()).isNull();
    assertThat(report.left()).noneMatch(MoverReport.Left::fault);

    LiveCluster.await(
        "two replicas",
        () ->
            cluster.blocks(files.get(1)).stream()
                .allMatch(block -> block.getLocations().length == 2));
    MoverReport rest = cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t"));
    assertThat(rest.left()).isEmpty();
    assertThat(cluster.typesOf(files.get(1))).containsOnly("SSD SSD");
    assertThat(cluster.typesOf(files.get(2))).hasSize(2);
    for (Path file : List.of(files.get(0), files.get(2), renamed, files.get(5))) {
      assertThat(cluster.typesOf(file)).as("%s", file).containsOnly(SSDS);
    }
    cluster.assertWhole(files.get(0), BLOCKS);
    cluster.assertWhole(new Path("/t/below/.snapshot/s/file"), 1);
    assertThat(cluster.typesOf(below)).containsOnly(SSDS);
    fs.deleteSnapshot(new Path("/t/below"), "s");
  }

  @Test
  void encryptedFilesMoveAsTheyAreAndErasureCodedOnesStay() throws Exception {
    DistributedFileSystem fs = cluster.fs();
    fs.mkdirs(new Path("/t/coded"));
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(new Path("/t/coded"), "XOR-2-1-1024k");
    Path coded = new Path("/t/coded/file");
    DFSTestUtil.writeFile(fs, coded, new byte[3 * LiveCluster.BLOCK_BYTES]);
    fs.getClient().setKeyProvider(cluster.mini().getNamesystem().getProvider());
    DFSTestUtil.createKey("key", cluster.mini(), cluster.clientConf());
    fs.mkdirs(new Path("/t/zone"));
    fs.createEncryptionZone(new Path("/t/zone"), "key");
    Path encrypted = cluster.write("/t/zone/file", BLOCKS, 3);
    // A file is complete before all nodes told of their part, and HDFS may make a missing one anew.
    LiveCluster.await("the three parts of the coded block", () -> isOnThreeDisks(coded));

    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t"));

    assertThat(fs.getFileEncryptionInfo(encrypted)).isNotNull();
    assertThat(cluster.typesOf(encrypted)).containsOnly(SSDS);
    cluster.assertWhole(encrypted, BLOCKS);
    assertThat(report.left())
        .extracting(MoverReport.Left::reason)
        .containsExactly("erasure-coded files are HDFS's own");
    LiveCluster.await("the coded block is where it was", () -> isOnThreeDisks(coded));
  }

  private boolean isOnThreeDisks(Path file) throws IOException {
    return cluster.typesOf(file).equals(List.of("DISK DISK DISK"));
  }

  @Test
  void aBlockThatIsBeingWrittenIsLeftAlone() throws IOException {
    Path file = new Path("/t/open");
    try (FSDataOutputStream out =
        cluster.fs().create(file, true, 4096, (short) 3, LiveCluster.BLOCK_BYTES)) {
      out.write(new byte[LiveCluster.BLOCK_BYTES + 10]);
      out.hflush();

      MoverReport report = cluster.move(LiveCluster.quick(), cluster.order(ALL_SSD, "/t"));

      assertThat(report.moved().replicas()).isEqualTo(3);
      assertThat(report.left())
          .extracting(MoverReport.Left::reason)
          .containsExactly("it is being written");
    }
  }

  @Test
  void movingIsTheSuperusersAndNobodyElsesByAccident() throws Exception {
    Path file = files(1).get(0);
    cluster.fs().setOwner(file, "alice", "staff");
    MoveOrder order = cluster.order(ALL_SSD, "/t");

    UserGroupInformation.createRemoteUser("alice")
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (DistributedFileSystem fs =
                      (DistributedFileSystem)
                          org.apache.hadoop.fs.FileSystem.newInstance(
                              cluster.fs().getUri(), cluster.clientConf())) {
                    MoverCluster hers = MoverCluster.of(fs, cluster.clientConf());
                    assertThatThrownBy(() -> Mover.open(hers, LiveCluster.quick()))
                        .isInstanceOf(OperatorException.class)
                        .hasMessageContaining("moving replicas needs HDFS's superuser");
                    assertThatThrownBy(() -> Mover.plan(hers, LiveCluster.quick(), order))
                        .isInstanceOf(OperatorException.class)
                        .hasMessageContaining("superuser");
                  }
                  return null;
                });

    assertThat(cluster.typesOf(file)).containsOnly(DISKS);
  }

  @Test
  void aSecondMoverIsRefusedWhileOneRuns() throws IOException {
    MoverCluster known = cluster.cluster();
    try (Mover first = Mover.open(known, LiveCluster.quick())) {
      assertThat(first).isNotNull();
      assertThatThrownBy(() -> Mover.open(known, LiveCluster.quick()))
          .isInstanceOf(OperatorException.class)
          .hasMessageStartingWith("another mover runs on this cluster");
    }
    Mover.open(known, LiveCluster.quick()).close();
  }
}
