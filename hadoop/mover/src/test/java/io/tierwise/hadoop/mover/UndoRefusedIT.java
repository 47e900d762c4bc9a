package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.mover.journal.RunSummary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An undo of which HDFS refuses a part. */
@ExtendWith(MixedCluster.class)
class UndoRefusedIT {
  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;

  UndoRefusedIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  private JournalRun begin(String undoes) throws IOException {
    return new Journal(folder).begin("test", "me", "hdfs://here", List.of("/t"), "", undoes);
  }

  private JournalRun beginAsDaemon() throws IOException {
    return new Journal(folder)
        .begin(ReplicaMark.COMMAND, "me", "hdfs://here", List.of("/t"), "", null);
  }

  private Optional<ReplicaMark> mark(String path) throws IOException {
    long id = cluster.fs().getClient().getFileInfo(path).getFileId();
    return ReplicaMark.of(id, cluster.fs().getXAttrs(new Path(path)));
  }

  private int replicas(String path) throws IOException {
    return cluster.fs().getFileStatus(new Path(path)).getReplication();
  }

  @Test
  @Timeout(180)
  void aFileForWhichAQuotaHasNoRoomKeepsNoOtherFromComingBack() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      cluster.write("/t/" + name + "/file", 1, 3);
    }
    FileTiers tiers = new FileTiers(cluster.cluster());
    JournalRun run = begin(null);
    try (run) {
      tiers.apply(tiers.setRepPolicy("/t", "2 x disk"), run);
    }
    long room = 5L * LiveCluster.BLOCK_BYTES / 2;
    cluster.fs().setQuota(new Path("/t/b"), HdfsConstants.QUOTA_DONT_SET, room);

    Journal journal = new Journal(folder);
    Undo undo = new Undo(cluster.cluster(), PastRun.read(journal, run.id()));
    String id = undo.change(() -> begin(run.id()));

    assertThat(List.of(replicas("/t/a/file"), replicas("/t/b/file"), replicas("/t/c/file")))
        .containsExactly(3, 2, 3);
    assertThat(undo.changesLeft()).hasSize(1);
    assertThat(undo.changesLeft().get(0).reason()).contains("quota").contains("/t/b");
    assertThat(undo.changesLeft().get(0).example()).isEqualTo("/t/b/file");
    UndoReport report = undo.report(id, null);
    assertThat(report.files()).as("of the other two").isEqualTo(2);
    assertThat(report.policies()).isOne();
    assertThat(report.complete()).isFalse();
    assertThat(RunSummary.read(journal, id).end().done()).isEqualTo(3);
    assertThat(JournaledChanges.ownPolicy(cluster.fs(), "/t")).isNull();
  }

  /** Else a daemon takes the file for one that was given back, and leaves it alone. */
  @Test
  @Timeout(180)
  void aFileThatKeepsTheDaemonsNumberKeepsItsMark() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      cluster.write("/t/" + name + "/file", 1, 3);
    }
    FileTiers tiers = new FileTiers(cluster.cluster());
    JournalRun run = beginAsDaemon();
    try (run) {
      tiers.apply(tiers.setRepPolicy("/t", "2 x disk"), run);
    }
    long marked = cluster.fs().getClient().getFileInfo("/t/b/file").getFileId();
    ReplicaMark ofDaemon = new ReplicaMark(marked, 3, 2, 1_000, false);
    ofDaemon.write(cluster.fs());
    long room = 5L * LiveCluster.BLOCK_BYTES / 2;
    for (String directory : List.of("/t/b", "/t/c")) {
      cluster.fs().setQuota(new Path(directory), HdfsConstants.QUOTA_DONT_SET, room);
    }

    new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()))
        .change(() -> begin(run.id()));

    assertThat(mark("/t/a/file").orElseThrow().takenBack()).isTrue();
    assertThat(replicas("/t/b/file")).isEqualTo(2);
    assertThat(mark("/t/b/file")).contains(ofDaemon);
    assertThat(mark("/t/c/file")).isEmpty();
  }

  @Test
  @Timeout(180)
  void aFileThatStaysWhereTheDaemonMovedItIsNotMarked() throws IOException {
    for (String name : List.of("a", "b")) {
      cluster.write("/t/" + name + "/file", 1, 3);
    }
    JournalRun run = beginAsDaemon();
    try (run;
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      mover.run(cluster.order("layout:1 x ssd + 2 x disk", "/t"), Listener.Step.SILENT);
    }
    cluster.setPolicy("/t/b", "layout:1 x ssd + 2 x disk");

    Undo undo = new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()));
    try (JournalRun back = begin(run.id());
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(back)) {
      undo.run(mover, back, Listener.Step.SILENT);
    }

    assertThat(cluster.typesOf(new Path("/t/a/file"))).containsOnly("DISK DISK DISK");
    assertThat(mark("/t/a/file").orElseThrow().takenBack()).isTrue();
    assertThat(cluster.typesOf(new Path("/t/b/file"))).containsOnly("DISK DISK SSD");
    assertThat(mark("/t/b/file")).isEmpty();
  }

  /** Attributes that somebody gave the path since may leave no room for those of its policy. */
  @Test
  @Timeout(180)
  void aPolicyThatHdfsDoesNotTakeBackIsNotSaidToBeBack() throws IOException {
    cluster.write("/t/a/file", 1, 3);
    cluster.setPolicy("/t/a", "layout:3 x disk");
    JournalRun run = begin(null);
    try (run) {
      JournaledChanges changes =
          new JournaledChanges(cluster.fs(), cluster.cluster().active(), run);
      changes.policy("/t/a", null);
    }
    LiveCluster.fillAttributes(cluster.fs(), new Path("/t/a"), 32);

    Undo undo = new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()));
    String id = undo.change(() -> begin(run.id()));

    assertThat(undo.changesLeft()).hasSize(1);
    assertThat(undo.changesLeft().get(0).reason()).contains("exceed limit of 32");
    assertThat(undo.report(id, null).policies()).isZero();
    assertThat(RunSummary.read(new Journal(folder), id).end().done()).isZero();
  }

  @Test
  @Timeout(180)
  void aStoragePolicyOfAFileThatIsDeletedMeanwhileIsNotSaidToBeBack() throws IOException {
    List<JournalEntry.StoragePolicy> both = List.of(onSsd("/t/a/file"), onSsd("/t/a/other"));
    JournalRun run = begin(null);
    try (run) {
      new JournaledChanges(cluster.fs(), cluster.cluster().active(), run)
          .storagePolicies(both, JournaledChanges.PolicyRefusal.PASSED_OVER);
    }
    assertThat(StoragePolicies.inForce(cluster.fs(), "/t/a/other")).isEqualTo("ONE_SSD");

    Undo undo = new Undo(cluster.cluster(), PastRun.read(new Journal(folder), run.id()));
    cluster.fs().delete(new Path("/t/a/file"), false);
    String id = undo.change(() -> begin(run.id()));

    assertThat(undo.changesLeft())
        .extracting(MoverReport.Left::example)
        .containsExactly("/t/a/file");
    assertThat(undo.report(id, null).policies()).isOne();
    assertThat(StoragePolicies.inForce(cluster.fs(), "/t/a/other")).isEqualTo("HOT");
  }

  private JournalEntry.StoragePolicy onSsd(String path) throws IOException {
    cluster.write(path, 1, 3);
    long id = cluster.fs().getClient().getFileInfo(path).getFileId();
    return new JournalEntry.StoragePolicy(path, id, "HOT", "ONE_SSD");
  }
}
