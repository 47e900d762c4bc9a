package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Files of which snapshots keep more replicas than they want, or all that there is. */
@ExtendWith(MixedCluster.class)
class SnapshotsIT {
  private static final Path DIRECTORY = new Path("/t/kept");
  private static final Path FILE = new Path(DIRECTORY, "file");
  private static final String SSDS = "SSD SSD SSD";
  private static final String DISKS = "DISK DISK DISK";
  private static final int BLOCKS = 2;

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
    assertThat(cluster.typesOf(FILE)).containsOnly(SSDS);
  }

  @Test
  void theMonitorRepairsThemToo() throws IOException {
    SeenMonitor monitor = new SeenMonitor(cluster);
    wantFewer();
    monitor.walk();
    assertThat(shown("BacklogBlocks", "missing_copy")).isEqualTo(BLOCKS);

    assertThat(monitor.repairs().round().done()).isEqualTo(BLOCKS);

    assertThat(cluster.typesOf(FILE)).containsOnly(SSDS);
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
}
