package io.tierwise.policies.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;

/** Counts which replica stands first over many seeded draws. */
final class FirstChoices {
  private static final int DRAWS = 40_000;

  private FirstChoices() {}

  /**
   * The share of draws in which each replica is first is within four standard deviations of what is
   * expected: sqrt(p (1 - p) / draws).
   */
  static void assertShares(AccessStrategy strategy, ArrayReadView view, double... expected) {
    SplittableRandom random = new SplittableRandom(20_260_101);
    AccessRequest request = new AccessRequest(1, 0, 128 << 20, 0);
    int[] order = new int[view.replicaCount()];
    int[] firstCounts = new int[view.replicaCount()];
    for (int i = 0; i < DRAWS; i++) {
      strategy.order(request, view, random, order);
      firstCounts[order[0]]++;
    }
    for (int replica = 0; replica < expected.length; replica++) {
      double share = (double) firstCounts[replica] / DRAWS;
      double p = expected[replica];
      double deviation = Math.sqrt(p * (1 - p) / DRAWS);
      assertThat(Math.abs(share - p))
          .as("replica %s is first in %s of the draws, expected %s", replica, share, p)
          .isLessThan(4 * deviation);
    }
  }
}
