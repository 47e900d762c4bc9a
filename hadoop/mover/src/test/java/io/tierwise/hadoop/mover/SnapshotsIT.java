package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of which snapshots keep more replicas than they want, or all that there is. */
@ExtendWith(MixedCluster.class)
class SnapshotsIT {
  private static final Path DIRECTORY = new Path("/t/kept");
  private static final Path FILE = new Path(DIRECTORY, "file");
  private static final String SSDS = "SSD SSD SSD";
  private static final String AS_NAMED = "DISK SSD SSD";
  private static final String DISKS = "DISK DISK DISK";
  private static final int BLOCKS = 2;

  @TempDir private java.nio.file.Path folder;
  private final LiveCluster cluster;

  SnapshotsIT(LiveCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void makeSnapshot() throws IOException {
    cluster.write(FILE.toString(), BLOCKS, 3);
    cluster.fs().allowSnapshot(DIRECTORY);
    cluster.fs().createSnapshot(DIRECTORY, "s");
  }

  @AfterEach
  void deleteSnapshot() throws IOException {
    cluster.fs().deleteSnapshot(DIRECTORY, "s");
    cluster.fs().disallowSnapshot(DIRECTORY);
  }

  private void wantFewer() throws IOException {
    cluster.fs().setReplication(FILE, (short) 2);
    cluster.setPolicy(DIRECTORY.toString(), "layout:2 x ssd");
    assertThat(cluster.typesOf(FILE)).containsOnly(DISKS);
  }

  @Test
  void replicasThatASnapshotKeepsMoveAndAreNoneTooMany() throws IOException {
    wantFewer();

    assertThat(BlocksPending.below(cluster.fs(), DIRECTORY.toString()).all()).isZero();
    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order("", "/t"));

    assertThat(report.left()).isEmpty();
    assertThat(cluster.typesOf(FILE)).containsOnly(AS_NAMED);
  }

  @Test
  void theMonitorRepairsThemToo() throws IOException {
    SeenMonitor monitor = new SeenMonitor(cluster);
    wantFewer();
    monitor.walk();
    assertThat(shown("BacklogBlocks", "missing_copy")).isEqualTo(BLOCKS);

    assertThat(monitor.repairs().round().done()).isEqualTo(BLOCKS);

    assertThat(cluster.typesOf(FILE)).containsOnly(AS_NAMED);
  }

  @Test
  void aChangeToFewerReplicasSaysThatASnapshotKeepsThem() throws IOException {
    cluster.setPolicy(DIRECTORY.toString(), "layout:2 x disk + 1 x ssd");

    FileTiers.Change change =
        new FileTiers(cluster.cluster()).deleteFileTier(FILE.toString(), "ssd");

    assertThat(change.text(false)).contains("but for what a snapshot keeps until it is deleted");
  }

  @Test
  void whatOnlyASnapshotHasIsMovedAndCounted() throws IOException {
    cluster.fs().delete(FILE, false);
    String kept = DIRECTORY + "/.snapshot/s/file";

    MoverReport report = cluster.move(LiveCluster.quick(), cluster.order("layout:3 x ssd", kept));

    assertThat(report.left()).isEmpty();
    assertThat(report.moved().replicas()).isEqualTo(3 * BLOCKS);
    assertThat(cluster.typesOf(new Path(kept))).containsOnly(SSDS);
  }

  /** HDFS knows no ids of what is in a snapshot alone; another file may have the name by now. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatOnlyASnapshotHasIsTakenBackWhenUndone(boolean replaced) throws IOException {
    cluster.fs().delete(FILE, false);
    String kept = DIRECTORY + "/.snapshot/s/file";
    if (replaced) {
      cluster.write(FILE.toString(), 1, 3);
    }
    Journal journal = new Journal(folder);
    JournalRun run = journal.begin("file move", "me", "here", List.of(kept), "3 x ssd", null);
    try (run;
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(run)) {
      mover.run(cluster.order("layout:3 x ssd", kept), Listener.Step.SILENT);
    }
    assertThat(cluster.typesOf(new Path(kept))).containsOnly(SSDS);

    PastRun past = PastRun.read(journal, run.id());
    try (JournalRun back = journal.begin("undo", "me", "here", List.of(kept), "", run.id());
        Mover mover = Mover.open(cluster.cluster(), LiveCluster.quick()).writingTo(back)) {
      Undo undo = new Undo(cluster.cluster(), past);
      undo.apply(back);
      assertThat(mover.undo(undo, Listener.Step.SILENT).left()).isEmpty();
    }
    assertThat(cluster.typesOf(new Path(kept))).containsOnly(DISKS);
  }

  @Test
  void aDirectoryThatIsDeletedMeanwhileHasNoSnapshots() throws IOException {
    AtomicBoolean gone = new AtomicBoolean();
    try (DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public FileStatus[] listStatus(Path path) throws IOException {
            gone.set(true);
            throw new FileNotFoundException(path.toString());
          }
        }) {
      fs.initialize(cluster.fs().getUri(), cluster.clientConf());
      HdfsFileStatus file = fs.getClient().getFileInfo(FILE.toString());

      assertThat(new SnapshotNumbers(fs).kept(FILE.toString(), file)).isZero();
      assertThat(gone).isTrue();
    }
  }

  @Test
  void ofManySnapshotsNoMoreAreAskedThanTellIt() throws IOException {
    cluster.fs().createSnapshot(DIRECTORY, "s2");
    cluster.fs().createSnapshot(DIRECTORY, "s3");
    AtomicInteger asked = new AtomicInteger();
    try (DFSClient client =
            new DFSClient(cluster.fs().getUri(), cluster.clientConf()) {
              @Override
              public HdfsFileStatus getFileInfo(String path) throws IOException {
                asked.incrementAndGet();
                return super.getFileInfo(path);
              }
            };
        DistributedFileSystem fs =
            new DistributedFileSystem() {
              @Override
              public DFSClient getClient() {
                return client;
              }
            }) {
      fs.initialize(cluster.fs().getUri(), cluster.clientConf());
      HdfsFileStatus file = cluster.fs().getClient().getFileInfo(FILE.toString());
      SnapshotNumbers numbers = new SnapshotNumbers(fs);

      assertThat(numbers.keepMoreThan(2, FILE.toString(), file)).isTrue();
      assertThat(asked).hasValue(1);
      assertThat(numbers.keepMoreThan(3, FILE.toString(), file)).isFalse();
      assertThat(asked).as("each is asked").hasValue(4);
    } finally {
      cluster.fs().deleteSnapshot(DIRECTORY, "s2");
      cluster.fs().deleteSnapshot(DIRECTORY, "s3");
    }
  }
}
