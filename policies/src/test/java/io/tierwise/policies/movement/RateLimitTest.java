package io.tierwise.policies.movement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aNodeStartsItsNextMoveWhenTheRateAllowsTheLastOne() {
    RateLimit<String> limit = new RateLimit<>(100);
    assertThat(limit.startNanos("a", "b")).isLessThanOrEqualTo(0);

    limit.start(0, 50, "a", "a");

    assertThat(limit.startNanos("a", "b")).isEqualTo(SECOND / 2);
    assertThat(limit.startNanos("b", "c")).isLessThanOrEqualTo(0);
  }

  @Test
  void bothNodesOfAMoveAreCharged() {
    RateLimit<String> limit = new RateLimit<>(100);

    limit.start(0, 100, "a", "b");

    assertThat(limit.startNanos("c", "a")).isEqualTo(SECOND);
    assertThat(limit.startNanos("b", "c")).isEqualTo(SECOND);
  }

  @Test
  void timeThatWentByUnusedIsNotMadeUpFor() {
    RateLimit<String> limit = new RateLimit<>(100);
    limit.start(0, 100, "a", "a");

    limit.start(10 * SECOND, 100, "a", "a");

    assertThat(limit.startNanos("a", "a")).isEqualTo(11 * SECOND);
  }

  /** Else each thread that wakes up late would take its lateness off the rate. */
  @Test
  void aStartThatComesALittleLateCountsFromWhenItWasDue() {
    RateLimit<String> limit = new RateLimit<>(100);
    long lateNanos = RateLimit.LATE_NANOS_MAX;
    limit.start(0, 100, "a", "a");

    limit.start(SECOND + lateNanos, 100, "a", "a");
    assertThat(limit.startNanos("a", "a")).isEqualTo(2 * SECOND);

    limit.setShare(2 * SECOND + lateNanos / 2, "a", 0.5);
    limit.start(2 * SECOND + lateNanos, 100, "a", "a");
    assertThat(limit.startNanos("a", "a")).as("at half the rate").isEqualTo(4 * SECOND);

    limit.start(4 * SECOND + lateNanos + 1, 100, "a", "a");
    assertThat(limit.startNanos("a", "a")).isEqualTo(6 * SECOND + lateNanos + 1);
  }

  @Test
  void aRateHoldsOverManyMoves() {
    RateLimit<String> limit = new RateLimit<>(25);
    long now = 0;
    for (int i = 0; i < 1000; i++) {
      String node = "node" + i % 10;
      now = Math.max(now, limit.startNanos(node, node));
      limit.start(now, 25, node, node);
    }

    assertThat((double) now / SECOND).isBetween(98.0, 100.0);
  }

  @Test
  void aPlaceThatKeepsAShareStartsItsNextMoveSoMuchLater() {
    RateLimit<String> limit = new RateLimit<>(100);
    limit.setShare(0, "a", 0.25);

    limit.start(0, 100, "a", "b");

    assertThat(limit.startNanos("a", "a")).isEqualTo(4 * SECOND);
    assertThat(limit.startNanos("b", "b")).isEqualTo(SECOND);
  }

  @Test
  void whatIsLeftToWaitFollowsTheShare() {
    RateLimit<String> limit = new RateLimit<>(100);
    limit.start(0, 400, "a", "a");

    limit.setShare(SECOND, "a", 0.5);
    assertThat(limit.startNanos("a", "a")).as("3 s at half the rate").isEqualTo(7 * SECOND);
    limit.setShare(3 * SECOND, "a", 1);
    assertThat(limit.startNanos("a", "a")).as("2 s at the whole rate").isEqualTo(5 * SECOND);
  }
}
