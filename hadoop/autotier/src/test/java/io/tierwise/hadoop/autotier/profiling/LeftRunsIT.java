package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A profiling after one that was killed, whose runs somebody took out of the journal. */
class LeftRunsIT {
  private static final Path FILE = new Path("/in/a");

  @TempDir private java.nio.file.Path folder;
  private final Queue<String> said = new ArrayDeque<>();
  private MiniDFSCluster hdfs;
  private DistributedFileSystem fs;
  private MoverCluster cluster;
  private Journal journal;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new HdfsConfiguration();
    MoverCluster.prepare(conf);
    hdfs =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(1)
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    hdfs.waitActive();
    fs = hdfs.getFileSystem();
    DFSTestUtil.createFile(fs, FILE, 1_000, (short) 1, 1);
    cluster = MoverCluster.of(fs, conf);
    journal = new Journal(folder.resolve("journal"));
  }

  @AfterEach
  void stop() {
    hdfs.shutdown();
  }

  private StorageType type() throws IOException {
    return fs.getClient().getLocatedBlocks(FILE.toString(), 0).get(0).getStorageTypes()[0];
  }

  private InputPlacement placement(ProfilingLock lock) {
    return new InputPlacement(
        cluster, MoverSettings.DEFAULT, journal, lock, new StopSign(), new HeardLines(said));
  }

  private void bring(InputPlacement placement, String tier) throws IOException {
    placement.bring(
        InputFiles.below(cluster, List.of("/in")), cluster.tiers().table().require(tier));
  }

  /** One that ends without a word, as by a kill. */
  private String killed() throws IOException {
    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      bring(placement(lock), "ssd");
    }
    assertThat(type()).isEqualTo(StorageType.SSD);
    said.clear();
    return journal.runs().get(0);
  }

  @Test
  @Timeout(180)
  void whatTheJournalHasNoMoreIsSaidOnceAndTheNextOneGoesOn() throws IOException {
    String run = killed();
    Files.delete(journal.directory().resolve(run + ".jsonl"));

    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      InputPlacement next = placement(lock);
      next.putBackLeft();
      assertThat(said)
          .containsExactly(
              "a profile run was killed, and the journal "
                  + journal.directory()
                  + " has its run "
                  + run
                  + " no more: what of its input that moved stays where it is");
      assertThat(type()).isEqualTo(StorageType.SSD);

      bring(next, "disk");
      assertThat(next.putBack()).as("it goes back to where it was found").isEmpty();
      assertThat(type()).isEqualTo(StorageType.SSD);
    }
    said.clear();
    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      placement(lock).putBackLeft();
    }
    assertThat(said).isEmpty();
  }

  /** Killed in the middle of the line, or between two runs of which one is there. */
  @Test
  @Timeout(180)
  void whatTheJournalHasIsPutBackBesideALineThatIsCut() throws IOException {
    String run = killed();
    Files.writeString(journal.directory().resolve("profile-run.lock"), run + "\n202611");

    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      placement(lock).putBackLeft();
    }

    assertThat(said.poll()).contains(" has its run 202611 no more");
    assertThat(said.poll()).endsWith("(undo of " + run + ")");
    assertThat(said).isEmpty();
    assertThat(type()).isEqualTo(StorageType.DISK);
    assertThat(ProfilingLock.look(journal)).contains(List.of());
  }

  /** What it moved is there to be read by whoever mends it: nothing is given up for that. */
  @Test
  @Timeout(180)
  void aRunThatIsDamagedIsRefusedAndStaysNoted() throws IOException {
    String run = killed();
    Files.writeString(journal.directory().resolve(run + ".jsonl"), "what is this\n");

    try (ProfilingLock lock = ProfilingLock.take(journal)) {
      InputPlacement next = placement(lock);
      assertThatThrownBy(next::putBackLeft)
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining(run);
    }
    assertThat(ProfilingLock.look(journal)).contains(List.of(run));
  }
}
