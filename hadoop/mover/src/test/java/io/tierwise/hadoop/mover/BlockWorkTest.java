package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BlockWorkTest {
  private final BlockWork work = Made.work();
  private final PlannedMove insideA = Made.move(work, "a", "a");
  private final PlannedMove insideB = Made.move(work, "b", "b");
  private final PlannedMove across = Made.move(work, "c", "d");
  private final PlannedMove acrossToo = Made.move(work, "e", "f");

  @Test
  void movesInsideNodesStartAtOnceAndOthersOneAfterTheOther() {
    work.add(List.of(insideA, insideB, across, acrossToo));

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
    work.add(List.of(across, acrossToo));
    assertThat(work.startable()).containsExactly(across);

    assertThat(work.drop()).containsExactly(acrossToo);

    assertThat(work.isOver()).isFalse();
    work.ended();
    assertThat(work.isOver()).isTrue();
  }
}
