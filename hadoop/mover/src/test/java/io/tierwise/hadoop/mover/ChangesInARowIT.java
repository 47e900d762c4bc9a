package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Changes of a file's layout that follow each other faster than HDFS does what they ask. */
@ExtendWith(MixedCluster.class)
class ChangesInARowIT {
  private static final int BLOCKS = 3;
  private static final int SECONDS_MAX = 120;

  @TempDir private java.nio.file.Path folder;

  private static LayoutChanges changes(LiveCluster cluster, String layout) throws IOException {
    FileTiers tiers = new FileTiers(cluster.cluster());
    return new LayoutChanges(tiers, List.of(tiers.setRepPolicy("/t", layout)));
  }

  private JournalRun begin() throws IOException {
    return new Journal(folder).begin("test", "me", "hdfs://here", List.of("/t"), "", null);
  }

  private static long after(int seconds) {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /** DataNodes learn of a replica to drop, and to copy, by the answers to their heartbeats. */
  private static void setHeartbeats(LiveCluster cluster, boolean on) {
    for (DataNode node : cluster.mini().getDataNodes()) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(node, !on);
    }
  }

  @Test
  void aChangeThatSomebodyElseOvertookIsNotMade(LiveCluster cluster) throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    LayoutChanges overtaken = changes(cluster, "2 x disk");
    changes(cluster, "1 x ssd + 2 x disk").apply(this::begin);

    assertThatThrownBy(() -> overtaken.apply(this::begin))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("/t is under layout:1 x ssd + 2 x disk meanwhile");

    assertThat(cluster.fs().getFileStatus(file).getReplication()).isEqualTo((short) 3);
  }

  @Test
  void aChangeThatSomebodyElseOvertakesHalfWayEndsThere(LiveCluster cluster) throws Exception {
    int files = 300;
    for (int i = 0; i < files; i++) {
      cluster.fs().create(new Path("/t/many/" + i), (short) 3).close();
    }
    FileTiers tiers = new FileTiers(cluster.cluster());
    FileTiers.Change change = tiers.setRepPolicy("/t", "2 x disk");
    AtomicInteger asked = new AtomicInteger();
    try (JournalRun run = begin()) {
      assertThatThrownBy(
              () ->
                  new LayoutWork(tiers, change)
                      .make(
                          run,
                          () -> {
                            if (asked.incrementAndGet() == 2) {
                              cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
                            }
                          }))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("/t is under layout:1 x ssd + 2 x disk meanwhile");
    }

    assertThat(cluster.fs().listStatus(new Path("/t/many")))
        .filteredOn(file -> file.getReplication() == 3)
        .hasSize(files - 256);
  }

  /** Its layout was made of one that the file has no more. */
  @Test
  void aMoveToATierThatSomebodyElseOvertookIsNotMade(LiveCluster cluster) throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", "layout:3 x disk");
    MoverJob overtaken;
    try (StoredFiles files = StoredFiles.find(cluster.clientConf(), List.of("/t"))) {
      overtaken = new MoveTarget.ToTier(null, "ssd", 1).job(cluster.cluster(), files);
    }
    cluster.setPolicy("/t", "layout:2 x ssd + 1 x disk");

    try (JournalRun run = begin();
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      assertThatThrownBy(() -> overtaken.run(mover, run, Listener.Step.SILENT))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("/t is under layout:2 x ssd + 1 x disk meanwhile");
    }
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK DISK");
  }

  /** The first of two paths is moved already, when a run is asked again. */
  @Test
  void aMoveToATierThatIsHalfMadeIsMade(LiveCluster cluster) throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", "layout:3 x disk");
    MoverJob job;
    try (StoredFiles files = StoredFiles.find(cluster.clientConf(), List.of("/t"))) {
      job = new MoveTarget.ToTier(null, "ssd", 1).job(cluster.cluster(), files);
    }
    cluster.setPolicy("/t", ((PolicyMoves) job).policies().get("/t"));

    try (JournalRun run = begin();
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      assertThat(job.run(mover, run, Listener.Step.SILENT).left()).isEmpty();
    }
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
  }

  /** HDFS lets a path have 32 attributes, and a policy comes with two. */
  @Test
  void aPathThatTakesNoAttributeKeepsNoOtherFromItsMove(LiveCluster cluster) throws Exception {
    Path full = cluster.write("/t/full/file", BLOCKS, 3);
    Path file = cluster.write("/t/other/file", BLOCKS, 3);
    LiveCluster.fillAttributes(cluster.fs(), full.getParent(), 32);
    MoverJob job;
    try (StoredFiles files =
        StoredFiles.find(cluster.clientConf(), List.of("/t/full", "/t/other"))) {
      job = new MoveTarget.ToTier(null, "ssd", 1).job(cluster.cluster(), files);
    }

    MoverReport report;
    JournalRun run = begin();
    try (run;
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      report = job.run(mover, run, Listener.Step.SILENT);
    }

    assertThat(report.complete()).isFalse();
    assertThat(report.left())
        .singleElement()
        .matches(left -> left.reason().contains("would exceed limit of 32") && left.fault())
        .matches(left -> left.example().equals("/t/full"));
    assertThat(job.changes()).isOne();
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK SSD");
    assertThat(cluster.typesOf(full)).containsOnly("DISK DISK DISK");

    // To take it back, an attribute goes, and none comes.
    LiveCluster.fillAttributes(cluster.fs(), file.getParent(), 30);
    Undo undo = new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()));
    try (JournalRun back = begin()) {
      undo.apply(back);
    }
    assertThat(undo.changesLeft()).isEmpty();
    assertThat(cluster.fs().getXAttrs(file.getParent())).hasSize(30);
  }

  /** It had a policy before, whose place others have taken since. */
  @Test
  void anUndoLeavesAPathThatTakesNoAttributeAndGoesOn(LiveCluster cluster) throws Exception {
    List<String> paths = List.of("/t/full", "/t/other");
    JournalRun run = begin();
    try (run) {
      for (String path : paths) {
        cluster.setPolicy(path, "layout:3 x disk");
        new JournaledChanges(cluster.fs(), cluster.cluster().active(), run).policy(path, null);
      }
    }
    LiveCluster.fillAttributes(cluster.fs(), new Path("/t/full"), 32);

    Undo undo = new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()));
    try (JournalRun back = begin()) {
      undo.apply(back);
    }

    assertThat(undo.changesLeft())
        .singleElement()
        .matches(left -> left.reason().contains("would exceed limit of 32"))
        .matches(left -> left.example().equals("/t/full"));
    assertThat(JournaledChanges.ownPolicy(cluster.fs(), "/t/other")).isEqualTo("layout:3 x disk");
  }

  @Test
  void aFileThatTakesTheNameOfAnotherKeepsItsNumber(LiveCluster cluster) throws Exception {
    Path file = new Path("/renamed/file");
    Path other = new Path("/renamed/other");
    Path elsewhere = new Path("/renamed/elsewhere");
    cluster.fs().create(file, (short) 3).close();
    cluster.fs().create(other, (short) 3).close();
    long id = cluster.fs().getClient().getFileInfo(file.toString()).getFileId();
    ReplicaMark mark = new ReplicaMark(id, 3, 2, 1, false);
    try (JournalRun run = begin()) {
      JournaledChanges changes =
          JournaledChanges.on(
              cluster.cluster(),
              run,
              change -> {
                cluster.fs().rename(file, elsewhere);
                cluster.fs().rename(other, file);
                mark.write(cluster.fs());
              },
              (change, why) -> {
                throw why;
              });
      changes.replicas(file.toString(), id, 3, new SetReplicas("test", "test", 2, Cost.NONE));
      changes.flush();
    }

    assertThat(cluster.fs().getFileStatus(file).getReplication()).isEqualTo((short) 3);
    assertThat(cluster.fs().getXAttrs(file)).isEmpty();
    assertThat(cluster.fs().getFileStatus(elsewhere).getReplication()).isEqualTo((short) 2);
    assertThat(ReplicaMark.of(id, cluster.fs().getXAttrs(elsewhere))).contains(mark);
  }

  /** As at Ctrl-C, or where a NameNode dies between its edit log and its answer. */
  @Test
  void aChangeWhoseAnswerWasLostIsTakenBack(LiveCluster cluster) throws Exception {
    Path file = new Path("/lost/file");
    cluster.fs().create(file, (short) 3).close();
    long id = cluster.fs().getClient().getFileInfo(file.toString()).getFileId();
    JournalRun run = begin();
    try (run;
        DistributedFileSystem fs = losingAnswers(cluster.fs())) {
      JournaledChanges changes = new JournaledChanges(fs, null, run);
      changes.replicas(file.toString(), id, 3, new SetReplicas("test", "test", 2, Cost.NONE));
      assertThatThrownBy(changes::flush).hasMessage("Call interrupted");
    }
    assertThat(cluster.fs().getFileStatus(file).getReplication()).isEqualTo((short) 2);

    PastRun past = PastRun.read(new Journal(folder), run.id());
    assertThat(Steps.of(past)).singleElement().matches(PastRun.Step::mayBeMade);
    try (JournalRun undo =
        new Journal(folder).begin("undo", "me", "hdfs://here", List.of("/t"), "", run.id())) {
      new Undo(cluster.cluster(), past).apply(undo);
    }
    assertThat(cluster.fs().getFileStatus(file).getReplication()).isEqualTo((short) 3);
  }

  private static DistributedFileSystem losingAnswers(DistributedFileSystem like)
      throws IOException {
    DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public boolean setReplication(Path path, short replicas) throws IOException {
            super.setReplication(path, replicas);
            throw new InterruptedIOException("Call interrupted");
          }
        };
    fs.initialize(like.getUri(), like.getConf());
    return fs;
  }

  /** Long: MoverIT has blocks that HDFS has yet to drop replicas of. */
  @Tag("long")
  @Test
  void aReplicaThatHdfsHasChosenToDropIsWaitedFor(LiveCluster cluster) throws Exception {
    Path file = cluster.write("/t/file", BLOCKS, 3);
    setHeartbeats(cluster, false);
    try {
      changes(cluster, "1 x disk").apply(this::begin);
      changes(cluster, "3 x disk").apply(this::begin);
      assertThat(cluster.blocks(file)).allMatch(block -> block.getLocations().length == 3);

      LayoutChanges again = changes(cluster, "3 x disk");
      assertThatThrownBy(() -> again.awaitEarlier(after(1), 1, Listener.SILENT))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining(BLOCKS + " blocks had a replica too many");
      assertThat(again.applyAndWait(this::begin, after(1), Listener.SILENT).blocksPending())
          .isEqualTo(BLOCKS);
    } finally {
      setHeartbeats(cluster, true);
    }

    LayoutChanges again = changes(cluster, "3 x disk");
    assertThat(again.awaitEarlier(after(SECONDS_MAX), SECONDS_MAX, Listener.SILENT)).isTrue();
    assertThat(again.applyAndWait(this::begin, after(SECONDS_MAX), Listener.SILENT).blocksPending())
        .isZero();
    assertThat(cluster.typesOf(file)).hasSize(BLOCKS).containsOnly("DISK DISK DISK");
    cluster.assertWhole(file, BLOCKS);
  }
}
