package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementPlan.Reason;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.junit.jupiter.api.Test;

class BlockWorkTest {
  private final BlockWork work = Made.work();
  private final PlannedMove insideA = Made.move(work, "a", "a");
  private final PlannedMove insideB = Made.move(work, "b", "b");
  private final PlannedMove across = Made.move(work, "c", "d");
  private final PlannedMove acrossToo = Made.move(work, "e", "f");

  private static Planner.Planned plan(PlannedMove... moves) {
    return new Planner.Planned(List.of(moves), List.of(), false);
  }

  @Test
  void movesInsideNodesStartAtOnceAndOthersOneAfterTheOther() {
    work.add(plan(insideA, insideB, across, acrossToo));

    assertThat(work.startable()).containsExactly(insideA, insideB);
    work.ended();
    assertThat(work.startable()).isEmpty();
    work.ended();
    assertThat(work.startable()).containsExactly(across);
    assertThat(work.startable()).isEmpty();
    work.ended();
    assertThat(work.startable()).containsExactly(acrossToo);
    assertThat(work.isOver()).isFalse();
    work.ended();
    assertThat(work.isOver()).isTrue();
  }

  @Test
  void whatHasNotStartedCanBeDropped() {
    work.add(plan(across, acrossToo));
    assertThat(work.startable()).containsExactly(across);

    assertThat(work.drop()).containsExactly(acrossToo);

    assertThat(work.isOver()).isFalse();
    work.ended();
    assertThat(work.isOver()).isTrue();
  }

  @Test
  void aNodeThatCannotBeReachedCountsAsNoAttempt() {
    HdfsLocatedFileStatus file = Made.file(3);
    BlockWork first = Made.work(new FileToMove("/file", file, null, null, null));
    first.failed("no connection", true);
    BlockWork second = first.again(file, Made.blockOn("a"));
    assertThat(second.attempts()).isEqualTo(first.attempts());
    assertThat(second.looks()).isEqualTo(2);

    second.failed("no connection", true);
    second.failed("refused", false);
    assertThat(second.again(file, Made.blockOn("a")).attempts()).isEqualTo(2);
  }

  @Test
  void aBlockThatHasFailedOtherwiseBeforeANodeWasLostHasMadeAnAttempt() {
    HdfsLocatedFileStatus file = Made.file(3);
    BlockWork first = Made.work(new FileToMove("/file", file, null, null, null));
    first.failed("refused", false);
    first.failed("no connection", true);

    assertThat(first.again(file, Made.blockOn("a")).attempts()).isEqualTo(2);
  }

  @Test
  void eachLookAtABlockComesLaterUnlessItOnlyWaitsForANode() {
    HdfsLocatedFileStatus file = Made.file(3);
    BlockWork first = Made.work(new FileToMove("/file", file, null, null, null));
    first.failed("refused", false);
    BlockWork second = first.again(file, Made.blockOn("a"));
    assertThat(SecondLooks.delayMillis(second)).isEqualTo(2 * SecondLooks.delayMillis(first));

    work.add(new Planner.Planned(List.of(), List.of(Reason.NO_NODE), true));
    assertThat(SecondLooks.delayMillis(work)).isEqualTo(10_000);
  }

  @Test
  void aBlockOfWhichAReplicaCannotMoveIsNotAsWantedWhenItsMovesAreMade() {
    work.add(new Planner.Planned(List.of(across), List.of(Reason.NO_ROOM), false));
    assertThat(work.startable()).containsExactly(across);
    work.ended();

    assertThat(work.isOver()).isTrue();
    assertThat(work.unmoved()).containsExactly(Reason.NO_ROOM);
    assertThat(work.asWanted()).isFalse();
  }
}
