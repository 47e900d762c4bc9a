package io.tierwise.hadoop.mover;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Moved;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.mover.BlockIntake.Fate;
import io.tierwise.hadoop.mover.BlockIntake.Taken;
import io.tierwise.hadoop.mover.FileToMove.Deletion;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Blocks that the monitor gave out to be repaired, and what became of each. */
final class RepairBatch implements BlockIntake.Source {
  private static final String NO_REASON = "none";

  /** Nothing of it is left to move. */
  private static final Fate GONE = new Fate(Taken.AS_WANTED, null);

  private final List<Work> blocks;
  private final FileJudge judge;
  private final Map<Long, Fate> fates = new HashMap<>();
  private final Map<Long, Repaired> repaired = new HashMap<>();

  /** The moves of a block so far, and how they ended. */
  private static final class Repaired {
    Moved up = Moved.NONE;
    Moved down = Moved.NONE;

    /** Untried until the run says otherwise: one that ends early forgets blocks it would retry. */
    Outcome outcome = Outcome.UNTRIED;
  }

  RepairBatch(List<Work> blocks, FileJudge judge) {
    this.blocks = blocks;
    this.judge = judge;
  }

  @Override
  public void offer(DistributedFileSystem fs, BlockIntake intake) throws IOException {
    SnapshotNumbers snapshots = new SnapshotNumbers(fs);
    Map<Long, Optional<HdfsLocatedFileStatus>> files = new HashMap<>();
    for (Work block : blocks) {
      Optional<HdfsLocatedFileStatus> file = files.get(block.fileId());
      if (file == null) {
        intake.tally().file();
        file = locate(fs, block.fileId());
        files.put(block.fileId(), file);
      }
      if (file.isPresent()) {
        offer(block, file.get(), snapshots, intake);
      }
      fates.putIfAbsent(block.blockId(), GONE);
    }
  }

  /** Empty for a file that was deleted since the monitor gave its block out. */
  private static Optional<HdfsLocatedFileStatus> locate(DistributedFileSystem fs, long fileId)
      throws IOException {
    try {
      String byId = InodePath.of(fileId);
      return Optional.ofNullable(fs.getClient().getLocatedFileInfo(byId, false))
          .filter(file -> file.getLocatedBlocks() != null);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private void offer(
      Work block, HdfsLocatedFileStatus status, SnapshotNumbers snapshots, BlockIntake intake)
      throws IOException {
    PlacementPolicy policy = judge.read(block.policy()).policy();
    List<LocatedBlock> all = status.getLocatedBlocks().getLocatedBlocks();
    for (int index = 0; policy != null && index < all.size(); index++) {
      if (all.get(index).getBlock().getBlockId() == block.blockId()) {
        int kept = snapshots.keptBeyond(block.path(), status);
        FileToMove file =
            new FileToMove(
                block.path(),
                status,
                policy,
                Deletion.BY_WANTED_POLICY,
                block.policy(),
                kept,
                null);
        note(block, intake.block(file, index, all.get(index)));
      }
    }
  }

  /** Notes what was decided about a block. */
  void note(Work block, Fate fate) {
    fates.put(block.blockId(), fate);
  }

  /** A log that passes all on, and notes what becomes of the blocks. */
  MoveLog logging(MoveLog log) {
    return new MoveLog() {
      @Override
      public void begin(PlannedMove move) {
        log.begin(move);
      }

      @Override
      public void end(PlannedMove move, String why) {
        if (why == null) {
          made(move);
        }
        log.end(move, why);
      }

      @Override
      public void lost(PlannedMove move) {
        log.lost(move);
      }

      @Override
      public void over(BlockWork work, boolean asWanted) {
        synchronized (RepairBatch.this) {
          of(work).outcome = asWanted ? Outcome.DONE : Outcome.FAILED;
        }
      }
    };
  }

  private synchronized Repaired of(BlockWork work) {
    return repaired.computeIfAbsent(work.block().getBlockId(), id -> new Repaired());
  }

  private synchronized void made(PlannedMove move) {
    Repaired block = of(move.work());
    boolean up = rank(move.to()) < rank(move.from());
    block.up = up ? block.up.plus(move.bytes()) : block.up;
    block.down = up ? block.down : block.down.plus(move.bytes());
  }

  private static int rank(Endpoint endpoint) {
    return endpoint.tier() == TierTable.NONE ? Integer.MAX_VALUE : endpoint.tier();
  }

  /** The outcome for each block, when the run has ended. */
  synchronized List<Result> results() {
    return blocks.stream().map(this::result).toList();
  }

  private Result result(Work block) {
    Fate fate = fates.get(block.blockId());
    if (fate == null) {
      return result(block, Outcome.UNTRIED, NO_REASON);
    }
    return switch (fate.taken()) {
      case AS_WANTED -> result(block, Outcome.VOID, NO_REASON);
      case HINDERED -> result(block, Outcome.FAILED, "left_to_hdfs");
      case UNMOVED -> result(block, Outcome.FAILED, fate.reason().name().toLowerCase(Locale.ROOT));
      case MOVES -> moved(block);
    };
  }

  private Result moved(Work block) {
    Outcome outcome = movesOf(block).outcome;
    return result(block, outcome, outcome == Outcome.FAILED ? "failed" : NO_REASON);
  }

  private Repaired movesOf(Work block) {
    return repaired.getOrDefault(block.blockId(), new Repaired());
  }

  private Result result(Work block, Outcome outcome, String reason) {
    Repaired moves = movesOf(block);
    return new Result(block.blockId(), block.wanted(), outcome, moves.up, moves.down, reason);
  }
}
