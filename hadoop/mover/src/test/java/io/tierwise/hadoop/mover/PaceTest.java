package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aNodeStartsItsNextMoveWhenTheRateAllowsTheLastOne() {
    Pace pace = new Pace(100, 1000);
    assertThat(pace.startNanos("a", "b")).isLessThanOrEqualTo(0);

    pace.start(0, 50, "a", "a");

    assertThat(pace.startNanos("a", "b")).isEqualTo(SECOND / 2);
    assertThat(pace.startNanos("b", "c")).isEqualTo(SECOND / 20);
  }

  @Test
  void bothNodesOfAMoveAreCharged() {
    Pace pace = new Pace(100, 1_000_000);

    pace.start(0, 100, "a", "b");

    assertThat(pace.startNanos("c", "a")).isEqualTo(SECOND);
    assertThat(pace.startNanos("b", "c")).isEqualTo(SECOND);
  }

  @Test
  void timeThatWentByUnusedIsNotMadeUpFor() {
    Pace pace = new Pace(100, 100);
    pace.start(0, 100, "a", "a");

    pace.start(10 * SECOND, 100, "a", "a");

    assertThat(pace.startNanos("a", "a")).isEqualTo(11 * SECOND);
  }

  @Test
  void aRateHoldsOverManyMoves() {
    Pace pace = new Pace(100, 250);
    long now = 0;
    for (int i = 0; i < 1000; i++) {
      String node = "node" + i % 10;
      now = Math.max(now, pace.startNanos(node, node));
      pace.start(now, 25, node, node);
    }

    assertThat((double) now / SECOND).isBetween(99.0, 101.0);
  }
}
