package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.mover.journal.WatchedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournaledMovesTest {
  private static final TierTable TIERS =
      TierTable.of(List.of(DeviceClass.unmeasured("ssd"), DeviceClass.unmeasured("disk")));

  @TempDir private Path folder;

  private static PlannedMove move() {
    HdfsLocatedFileStatus status =
        (HdfsLocatedFileStatus)
            new HdfsFileStatus.Builder()
                .fileId(7)
                .length(100)
                .locations(new LocatedBlocks())
                .build();
    FileToMove file =
        new FileToMove("/file", status, null, FileToMove.Deletion.BY_WANTED_POLICY, "hybrid");
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("pool", 1, 100, 1), DatanodeInfo.EMPTY_ARRAY);
    Endpoint from = Made.volume("a", StorageType.DISK);
    return new PlannedMove(
        new BlockWork(file, 0, block),
        100,
        from,
        from,
        Made.volume("a", StorageType.SSD),
        new Move("policy", "rule", 0, 0, 1, Cost.ofBytes(100, 0, 0)));
  }

  @Test
  void aMoveThatABusyNodeRefusedIsOneStep() throws IOException {
    Journal journal = new Journal(folder);
    PlannedMove move = move();
    PlannedMove other = move();
    JournalRun run = journal.begin("test", "me", "here", List.of("/"), null, null);
    try (run) {
      JournaledMoves moves =
          new JournaledMoves(run, TIERS, new RegionNames(new Configuration(false)));
      moves.begin(move);
      moves.begin(move);
      moves.end(move, null);
      moves.end(other, "it never began");
      moves.begin(other);
      moves.end(other, "no room");
    }

    List<PastRun.Step> steps = Steps.of(PastRun.read(journal, run.id()));
    assertThat(steps).extracting(PastRun.Step::done).containsExactly(true, false);
    assertThat(steps.get(1).result().reason()).isEqualTo("no room");
    JournalEntry.Moving first = (JournalEntry.Moving) steps.get(0).entry();
    assertThat(first.inForce()).isEqualTo("hybrid");
    assertThat(first.policy()).isEqualTo(move.decision().policy());
    assertThat(first.rule()).isEqualTo(move.decision().rule());
    assertThat(first.costSeconds()).isNull();
    assertThat(first.from().tier()).isEqualTo("disk");
    assertThat(first.to().text()).startsWith("ssd@");
  }

  /** Else a power failure may leave a move that nobody can undo. */
  @Test
  void aMoveMayStartWhenItsLineIsDurable() throws IOException {
    List<String> told = new ArrayList<>();
    try (JournalRun run = WatchedRun.of(told)) {
      JournaledMoves moves =
          new JournaledMoves(run, TIERS, new RegionNames(new Configuration(false)));
      PlannedMove move = move();
      moves.begin(move);
      assertThat(told).hasSize(2);
      assertThat(told.get(0)).contains("/file");
      assertThat(told.get(1)).isEqualTo("sync");

      moves.end(move, null);
      assertThat(told).as("a result may be lost: the replica says what became of it").hasSize(3);
    }
  }
}
