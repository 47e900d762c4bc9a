package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Moved;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.mover.BlockIntake.Fate;
import io.tierwise.hadoop.mover.BlockIntake.Taken;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;

/** What a mover tells the monitor of the blocks that it was given. */
class RepairBatchTest {
  private static final Work BLOCK = new Work(1, 7, 0, 3, "fallback", "layout:3 x ssd", "/file");

  @Test
  void aBlockThatNobodyCameToIsToldAsUntriedAndCountedWhenItComesAgain() {
    List<Result> results = new RepairBatch(List.of(BLOCK), null).results();

    assertThat(results).extracting(Result::outcome).containsExactly(Outcome.UNTRIED);
    RepairCount count = new RepairCount();
    count.add(results);
    assertThat(count.round()).isEqualTo(new Repairs.Round(0, 0, 0, 0));
  }

  private static Result result(long block, Outcome outcome) {
    return new Result(block, 3, outcome, Moved.NONE, Moved.NONE, "none");
  }

  @Test
  void aBlockThatFailsAndIsRepairedLaterCountsOnce() {
    RepairCount count = new RepairCount();
    count.add(List.of(result(1, Outcome.FAILED), result(2, Outcome.FAILED)));
    count.add(List.of(result(1, Outcome.DONE), result(2, Outcome.FAILED)));
    count.add(List.of(result(3, Outcome.VOID)));

    assertThat(count.round()).isEqualTo(new Repairs.Round(3, 2, 0, 0));
  }

  @Test
  void aBlockThatWasNotTriedToItsEndIsUntriedAndWhatWasMovedOfItIsTold() {
    RepairBatch batch = new RepairBatch(List.of(BLOCK), null);
    MoveLog log = batch.logging(MoveLog.NONE);
    batch.note(BLOCK, new Fate(Taken.MOVES, null));
    log.end(Made.move(Made.work(), "a", "a"), null);

    Result result = batch.results().get(0);
    assertThat(result.outcome()).isEqualTo(Outcome.UNTRIED);
    assertThat(result.up().replicas()).isOne();
  }

  @Test
  void aBlockIsRepairedOnlyWhenAllItsReplicasAreAsWanted() {
    assertThat(outcome(true)).isEqualTo(Outcome.DONE);
    assertThat(outcome(false)).as("one of two moved").isEqualTo(Outcome.FAILED);
  }

  @Test
  void movesToASlowerTierAndWithinOneGoDown() {
    RepairBatch batch = new RepairBatch(List.of(BLOCK), null);
    MoveLog log = batch.logging(MoveLog.NONE);
    batch.note(BLOCK, new Fate(Taken.MOVES, null));
    Endpoint ssd = Made.volume("a", StorageType.SSD);
    for (StorageType to : List.of(StorageType.DISK, StorageType.SSD)) {
      log.end(new PlannedMove(Made.work(), 1, ssd, ssd, Made.volume("b", to), null), null);
    }

    Result result = batch.results().get(0);
    assertThat(result.up().replicas()).isZero();
    assertThat(result.down().replicas()).isEqualTo(2);
  }

  private static Outcome outcome(boolean asWanted) {
    RepairBatch batch = new RepairBatch(List.of(BLOCK), null);
    BlockWork work = Made.work();
    MoveLog log = batch.logging(MoveLog.NONE);
    batch.note(BLOCK, new Fate(Taken.MOVES, null));
    log.end(Made.move(work, "a", "a"), null);
    log.over(work, asWanted);
    return batch.results().get(0).outcome();
  }
}
