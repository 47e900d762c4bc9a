package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

class InPlaceTest {
  private static final int REPLICAS = 2;
  private static final TierMatcher TIERS = TierConfiguration.byStorageType().matcher();

  /** From node a to node b, read from a third one. */
  private static PlannedMove move(int keptBySnapshots) {
    FileToMove file =
        new FileToMove(
            "/file",
            Made.file(REPLICAS),
            null,
            Deletion.BY_WANTED_POLICY,
            null,
            keptBySnapshots,
            null);
    return new PlannedMove(
        Made.work(file),
        1,
        Made.volume("a", StorageType.DISK),
        Made.volume("read", StorageType.DISK),
        Made.volume("b", StorageType.SSD),
        null);
  }

  private static InPlace of(int keptBySnapshots, int replicas, String... nodes) {
    HdfsLocatedFileStatus now = Made.file(replicas, Made.blockOn(nodes));
    return InPlace.of(move(keptBySnapshots), now, TIERS);
  }

  @Test
  void theReplicaThatWasReadStaysAndTheOneThatWasNamedGoes() {
    assertThat(of(0, REPLICAS, "read", "b")).isEqualTo(InPlace.YES);
    assertThat(of(0, REPLICAS, "a", "b")).isEqualTo(InPlace.ANOTHER_GONE);
    assertThat(of(0, REPLICAS, "a", "read", "b")).isEqualTo(InPlace.COPIED);
    assertThat(of(0, REPLICAS, "a", "read")).isEqualTo(InPlace.NO);
  }

  /** HDFS drops none of them, so that nobody has to wait for it. */
  @Test
  void replicasThatASnapshotKeepsAreNoneTooMany() {
    assertThat(of(3, REPLICAS, "a", "read", "b")).isEqualTo(InPlace.ANOTHER_GONE);
    assertThat(of(3, REPLICAS, "a", "read", "b", "c")).isEqualTo(InPlace.COPIED);
  }

  /** Nobody waits a minute for a copy that the NameNode takes no more. */
  @Test
  void aCopyOfABlockThatWasChangedMeanwhileNeverComes() {
    LocatedBlock appended = Made.blockOn("a", "read");
    appended.getBlock().setGenerationStamp(2);
    assertThat(InPlace.of(move(0), Made.file(REPLICAS, appended), TIERS))
        .isEqualTo(InPlace.CHANGED);

    LocatedBlock there = Made.blockOn("read", "b");
    there.getBlock().setGenerationStamp(2);
    assertThat(InPlace.of(move(0), Made.file(REPLICAS, there), TIERS)).isEqualTo(InPlace.YES);
  }
}
