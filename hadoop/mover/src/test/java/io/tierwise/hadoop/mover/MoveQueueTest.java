package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementLimits;
import org.junit.jupiter.api.Test;

class MoveQueueTest {
  private static final long ANY_TIME = Long.MIN_VALUE / 4;

  private final BlockWork work = Made.work();
  private final MoveQueue queue = new MoveQueue(new MovementLimits(1L << 40, 1L << 40, 1, 0));

  private PlannedMove add(String from, String to) {
    PlannedMove move = Made.move(work, from, to);
    assertThat(queue.add(move, System.nanoTime() + ANY_TIME)).isTrue();
    return move;
  }

  @Test
  void aBusyNodeHoldsUpNoOther() throws InterruptedException {
    PlannedMove first = add("a", "a");
    PlannedMove second = add("a", "b");
    PlannedMove third = add("c", "c");

    assertThat(queue.take()).isSameAs(first);
    assertThat(queue.take()).isSameAs(third);
    queue.release(first);
    assertThat(queue.take()).isSameAs(second);
  }

  @Test
  void bothNodesOfAMoveAreBusy() throws InterruptedException {
    PlannedMove first = add("a", "b");
    PlannedMove second = add("c", "a");
    PlannedMove third = add("d", "e");

    assertThat(queue.take()).isSameAs(first);
    assertThat(queue.take()).isSameAs(third);
    queue.release(first);
    assertThat(queue.take()).isSameAs(second);
  }

  @Test
  void aClosedQueueGivesWhatIsLeftAndTakesNothing() throws InterruptedException {
    PlannedMove first = add("a", "a");

    assertThat(queue.close()).containsExactly(first);

    assertThat(queue.take()).isNull();
    assertThat(queue.add(first, 0)).isFalse();
  }

  @Test
  void aMoveThatIsPutOffWaits() throws InterruptedException {
    PlannedMove later = Made.move(work, "a", "a");
    long at = System.nanoTime() + 30_000_000;
    queue.add(later, at);

    assertThat(queue.take()).isSameAs(later);
    assertThat(System.nanoTime()).isGreaterThanOrEqualTo(at);
  }
}
