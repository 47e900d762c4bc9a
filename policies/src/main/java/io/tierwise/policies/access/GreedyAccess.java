package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * Fastest tier first, wherever it is; nearest first within a tier.
 *
 * <p>Source: access strategies, section III-A.1.
 */
public record GreedyAccess() implements AccessStrategy {
  static final String NAME = "greedy";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    ReplicaOrder.fastestFirst(view, order, 0);
    return view.replicaCount() <= 1 ? AccessReason.ONLY_REPLICA : AccessReason.FASTEST_TIER;
  }
}
