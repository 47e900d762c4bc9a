package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementLimits;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

  /** All would wake at the same moment, and go through all that waits. */
  @Test
  void oneOfManyThreadsLooksForTheNextMove() throws Exception {
    PlannedMove later = Made.move(work, "a", "a");
    queue.add(later, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    Queue<PlannedMove> taken = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(RunThreads.daemon(() -> takeAll(taken), "taker-" + i));
    }
    threads.forEach(Thread::start);

    LiveCluster.await("one that looks", () -> states(threads).equals(looking(1, 7)));
    PlannedMove first = add("b", "b");
    PlannedMove second = add("c", "c");
    LiveCluster.await("two moves", () -> taken.size() == 2);
    assertThat(taken).containsExactlyInAnyOrder(first, second);
    LiveCluster.await("one that looks", () -> states(threads).equals(looking(1, 7)));
    threads.stream()
        .filter(thread -> thread.getState() == State.TIMED_WAITING)
        .findFirst()
        .get()
        .interrupt();
    LiveCluster.await("another one that looks", () -> states(threads).equals(looking(1, 6)));

    assertThat(queue.close()).containsExactly(later);
    for (Thread thread : threads) {
      thread.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private void takeAll(Queue<PlannedMove> taken) {
    try {
      for (PlannedMove move = queue.take(); move != null; move = queue.take()) {
        taken.add(move);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Map<State, Long> looking(long lookers, long others) {
    return Map.of(State.TIMED_WAITING, lookers, State.WAITING, others);
  }

  private static Map<State, Long> states(List<Thread> threads) {
    return threads.stream()
        .map(Thread::getState)
        .filter(state -> state != State.TERMINATED)
        .collect(Collectors.groupingBy(state -> state, Collectors.counting()));
  }
}
