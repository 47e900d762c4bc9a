package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.policies.movement.AdaptivePlacement;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is counted of the temporary region after a prefetch that was killed or stopped. */
class StoppedPrefetchIT extends PlannedJobs {
  /** What a daemon wrote of a file that it began to bring. */
  private void journaled(String path, String result) throws IOException {
    HdfsFileStatus file = hdfs.fs().getClient().getFileInfo(path);
    JournalEntry.Place from = new JournalEntry.Place("n", "n", "s", "DISK", "disk", "r");
    JournalEntry.Place to = new JournalEntry.Place("n", "n", "s", "SSD", "ssd", "r");
    String asked = "1 x ssd by " + AdaptivePlacement.NAME;
    try (JournalRun run =
        journal.begin(ReplicaMark.COMMAND, hdfs.fs(), List.of(path), asked, null)) {
      run.append(new JournalEntry.StoragePolicy(path, file.getFileId(), "HOT", "ONE_SSD"));
      long move =
          run.append(
              new JournalEntry.Moving(
                  path,
                  file.getFileId(),
                  file.getLen(),
                  null,
                  0,
                  1,
                  file.getLen(),
                  from,
                  "n",
                  to,
                  "p",
                  "r",
                  0,
                  null));
      if (result != null) {
        run.append(new JournalEntry.Result(move, result));
      }
    }
    hdfs.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(path), "ONE_SSD");
  }

  @Test
  void aCopyThatADaemonBeganBeforeItsEndAndThatNeverCameIsCountedOnce() throws Exception {
    stage(1, "/data/a", "/data/b");
    prefetch(1);
    stage(2, "/data/c");
    journaled("/data/c", null);
    begin();
    planner.look(NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);

    prefetch(2);

    assertThat(List.of(type("/data/a"), type("/data/b")))
        .as("one of them is enough")
        .containsExactlyInAnyOrder(StorageType.DISK, StorageType.SSD);
    assertThat(type("/data/c")).isEqualTo(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void aCopyThatCameAfterItsMoveWasGivenUpIsCountedAndLeaves() throws Exception {
    stage(1, "/data/a", "/data/b");
    hdfs.make(plan(1).coming(), new Journal(folder.resolve("another")));
    journaled("/data/a", "the mover was stopped");
    journaled("/data/b", "the mover was stopped");
    begin();
    planner.look(NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);

    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(List.of(type("/data/a"), type("/data/b"))).containsOnly(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  @Test
  void ofAFileThatCameInPartThatPartIsCounted() throws Exception {
    hdfs.writeFirstBlockToSsd("/data/a", BLOCK_BYTES);
    stage(1, "/data/a");
    journaled("/data/a", null);
    begin();
    planner.look(NOW);
    assertThat(planner.temporaryBytes()).isEqualTo(BLOCK_BYTES);

    prefetch(1);
    assertThat(planner.temporaryBytes()).isEqualTo(4 * BLOCK_BYTES);
    over();
    stage(2, "/data/c", "/data/d");
    prefetch(2);

    assertThat(hdfs.types("/data/a")).hasSize(4).containsOnly(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(2 * BYTES);
  }

  /**
   * So large that it fits beside the larger part, and not beside both. Long: make test has a file
   * that came in part.
   */
  @Tag("long")
  @Test
  void aFileThatCameInTwoPartsLeavesAsOne() throws Exception {
    hdfs.writeFirstBlockToSsd("/data/a", BLOCK_BYTES);
    stage(1, "/data/a");
    journaled("/data/a", null);
    begin();
    planner.look(NOW);
    prefetch(1);
    over();
    long largeBytes = 8 * BYTES / 5;
    org.apache.hadoop.fs.Path large = new org.apache.hadoop.fs.Path("/data/large");
    DFSTestUtil.createFile(hdfs.fs(), large, largeBytes, (short) 1, 1);
    stage(2, "/data/large");
    prefetch(2);

    assertThat(hdfs.types("/data/a")).hasSize(4).containsOnly(StorageType.DISK);
    assertThat(planner.temporaryBytes()).isEqualTo(largeBytes);
  }

  /** Long: make test has a copy that came after its move was given up. */
  @Tag("long")
  @Test
  void aCopyThatComesLateIsCountedWithinSeconds() throws Exception {
    stage(1, "/data/a");
    List<RoundPlan.TierMove> coming = plan(1).coming();
    journaled("/data/a", null);
    begin();
    planner.look(NOW);
    assertThat(planner.temporaryBytes()).isZero();

    hdfs.make(coming, new Journal(folder.resolve("another")));
    assertThat(type("/data/a")).isEqualTo(StorageType.SSD);
    planner.look(NOW + Autotier.REST_SECONDS);
    assertThat(planner.temporaryBytes()).isEqualTo(BYTES);
  }

  /** A daemon is killed between the storage policy of a file and its move. */
  private void killedBeforeTheMove(String by, String path) throws IOException {
    try (JournalRun run =
        journal.begin(ReplicaMark.COMMAND, hdfs.fs(), List.of(path), "1 x ssd by " + by, null)) {
      run.append(new JournalEntry.StoragePolicy(path, fileId(path), "HOT", "ONE_SSD"));
    }
    hdfs.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(path), "ONE_SSD");
    begin();
  }

  /** All files of a run get their storage policies before the first one moves. */
  @Test
  void aFileThatNeverBeganToComeGetsItsStoragePolicyBackWithTheNextJobsPlan() throws Exception {
    stage(1, "/data/a");
    killedBeforeTheMove(AdaptivePlacement.NAME, "/data/a");
    stage(2, "/data/b");

    JobPlan plan = plan(2);
    assertThat(plan.lines()).anyMatch(line -> line.startsWith("mends: 1 file to disk"));
    prefetch(plan);

    assertThat(hdfs.fs().getStoragePolicy(new org.apache.hadoop.fs.Path("/data/a")).getName())
        .isEqualTo("HOT");
    assertThat(type("/data/b")).isEqualTo(StorageType.SSD);
    assertThat(planner.temporaryBytes()).isEqualTo(BYTES);
  }

  /** The round of the daemon that goes on is about to bring it, or just has. */
  @Test
  void aPopularFileThatARoundWasAboutToBringDoesNotLeaveWithAJobsPlan() throws Exception {
    stage(1, "/data/hot");
    List<RoundPlan.TierMove> coming = plan(1).coming();
    killedBeforeTheMove("ppa", "/data/hot");
    hdfs.make(coming, new Journal(folder.resolve("another")));
    stage(2, "/data/b");

    prefetch(2);

    assertThat(hdfs.fs().getStoragePolicy(new org.apache.hadoop.fs.Path("/data/hot")).getName())
        .isEqualTo("ONE_SSD");
    assertThat(List.of(type("/data/hot"), type("/data/b"))).containsOnly(StorageType.SSD);
  }
}
