package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.movement.MovementLimits;
import org.junit.jupiter.api.Test;

/** DUX's prefetches go on beside shuffles, since jobs wait for them (DerbyhatS, 6.1.8). */
class PrefetchLimitsTest {
  @Test
  void prefetchesYieldToReadersAndToNoShuffle() {
    MovementLimits rounds = MovementLimits.DEFAULT.yieldingAbove(7).yieldingAboveShuffle(3_000_000);

    MovementLimits prefetches = JobLoop.withoutYield(MoverSettings.DEFAULT.with(rounds)).limits();

    assertThat(prefetches).isEqualTo(rounds.yieldingAboveShuffle(0));
    assertThat(prefetches.yieldAbove()).isEqualTo(7);
    assertThat(MoverSettings.DEFAULT.limits().yieldAboveShuffleBytesPerSecond())
        .as("a round's moves yield by default")
        .isPositive();
  }
}
