package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The turns of moves are those that one would give who goes through all that wait. */
class MoveTurnsOrderTest {
  private static final int STEPS = 3_000;
  private static final int NODES = 4;
  private static final int AT_ONCE = 2;
  private static final MovementLimits LIMITS =
      new MovementLimits(1_000, 700, 3_000, AT_ONCE, 0, 0, 0, 0);

  private record Move(int number, MoveClaim<String> claim, long notBeforeNanos) {}

  /** Goes through all moves that wait, in the order in which they came. */
  private static final class Oracle {
    private final Pace<String> pace = new Pace<>(LIMITS);
    private final List<Move> waiting = new ArrayList<>();
    private final Map<String, Integer> running = new HashMap<>();
    private long nextNanos;

    Optional<Move> take(long now) {
      nextNanos = MoveTurns.NEVER;
      for (Move move : waiting) {
        MoveClaim<String> claim = move.claim();
        if (isFull(claim.to()) || isFull(claim.source())) {
          continue;
        }
        long start = Math.max(move.notBeforeNanos(), pace.startNanos(claim));
        if (start <= now) {
          waiting.remove(move);
          pace.start(now, claim);
          count(claim, 1);
          return Optional.of(move);
        }
        nextNanos = Math.min(nextNanos, start);
      }
      return Optional.empty();
    }

    private boolean isFull(String node) {
      return running.getOrDefault(node, 0) >= AT_ONCE;
    }

    void count(MoveClaim<String> claim, int change) {
      running.merge(claim.to(), change, Integer::sum);
      if (!claim.source().equals(claim.to())) {
        running.merge(claim.source(), change, Integer::sum);
      }
    }
  }

  private static Move move(int number, long now, Random random) {
    String to = "n" + random.nextInt(NODES);
    String from = random.nextInt(3) > 0 ? to : "n" + random.nextInt(NODES);
    String volume = to + "/" + random.nextInt(2);
    long later = random.nextInt(4) == 0 ? random.nextInt(2_000_000_000) : 0;
    MoveClaim<String> claim =
        new MoveClaim<>(to, from, volume, from + "/disk", 1 + random.nextInt(500));
    return new Move(number, claim, now + later);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void areThoseOfWhoGoesThroughAll(long seed) {
    Random random = new Random(seed);
    Oracle oracle = new Oracle();
    MoveTurns<Move, String> turns = new MoveTurns<>(LIMITS, Move::claim);
    List<Move> runs = new ArrayList<>();
    int started = 0;
    long now = 0;
    for (int step = 0; step < STEPS; step++) {
      now += random.nextInt(50_000_000);
      if (random.nextInt(3) == 0) {
        Move move = move(step, now, random);
        oracle.waiting.add(move);
        turns.add(move, move.notBeforeNanos());
      }
      if (!runs.isEmpty() && random.nextInt(3) == 0) {
        Move over = runs.remove(random.nextInt(runs.size()));
        oracle.count(over.claim(), -1);
        turns.release(over);
      }
      Optional<Move> expected = oracle.take(now);
      assertThat(turns.take(now)).as("step %d", step).isEqualTo(expected);
      if (expected.isEmpty()) {
        assertThat(turns.nextNanos()).as("step %d", step).isEqualTo(oracle.nextNanos);
      } else {
        runs.add(expected.get());
        started++;
      }
      assertThat(turns.isWaiting()).as("step %d", step).isNotEqualTo(oracle.waiting.isEmpty());
    }
    assertThat(started).isGreaterThan(STEPS / 10);
    List<Move> left = List.copyOf(oracle.waiting);
    assertThat(turns.takeOut(move -> move.number() % 2 == 0))
        .containsExactlyElementsOf(left.stream().filter(move -> move.number() % 2 == 0).toList());
    assertThat(turns.takeOut(move -> true))
        .containsExactlyElementsOf(left.stream().filter(move -> move.number() % 2 == 1).toList());
    assertThat(turns.isWaiting()).isFalse();
  }
}
