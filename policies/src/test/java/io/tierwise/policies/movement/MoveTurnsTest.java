package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MoveTurnsTest {
  private static final long SECOND = 1_000_000_000L;

  /** A move of so many bytes inside a node. */
  private record Inside(String node, long bytes) {}

  private static MoveTurns<Inside, String> turns(long nodeRate, long allRate, int atOnce) {
    return new MoveTurns<>(
        new MovementLimits(nodeRate, allRate, atOnce, 0),
        move ->
            new MoveClaim<>(
                move.node(), move.node(), move.node() + "/1", move.node() + "/0", move.bytes()));
  }

  @Test
  void saysWhenTheNextMoveMayStart() {
    MoveTurns<Inside, String> turns = turns(100, 1_000_000, 4);
    Inside first = new Inside("a", 50);
    Inside second = new Inside("a", 60);
    turns.add(first, 0);
    turns.add(second, 0);

    assertThat(turns.take(0)).contains(first);
    assertThat(turns.take(0)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(SECOND / 2);
    assertThat(turns.take(SECOND / 2)).contains(second);
  }

  @Test
  void whereAllWaitForOthersNoMomentIsNamed() {
    MoveTurns<Inside, String> turns = turns(1000, 1_000_000, 1);
    Inside first = new Inside("a", 1);
    turns.add(first, 0);
    turns.add(new Inside("a", 2), 0);

    assertThat(turns.take(0)).contains(first);
    assertThat(turns.take(SECOND)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(MoveTurns.NEVER);
    turns.release(first);
    assertThat(turns.take(SECOND)).isPresent();
  }

  @Test
  void aMoveStartsNoSoonerThanItsHostSays() {
    MoveTurns<Inside, String> turns = turns(1000, 1000, 1);
    turns.add(new Inside("a", 1), 7 * SECOND);

    assertThat(turns.take(6 * SECOND)).isEmpty();
    assertThat(turns.nextNanos()).isEqualTo(7 * SECOND);
    assertThat(turns.clear()).hasSize(1);
    assertThat(turns.take(8 * SECOND)).isEmpty();
  }
}
