package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * The local replica, whatever its tier; without one, or after it, the fastest tier first and the
 * nearest among equals.
 *
 * <p>Source: access strategies, section III-A.2, Data Locality-driven (DLD).
 */
public record DataLocalityDrivenAccess() implements AccessStrategy {
  static final String NAME = "dld";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    ReplicaOrder.fastestFirst(view, order, 0);
    int count = view.replicaCount();
    int localCount = 0;
    for (int i = 0; i < count; i++) {
      if (ReplicaOrder.isLocal(view, order[i])) {
        ReplicaOrder.moveForward(order, i, localCount++);
      }
    }
    if (count <= 1) {
      return AccessReason.ONLY_REPLICA;
    }
    return localCount > 0 ? AccessReason.LOCAL : AccessReason.FASTEST_TIER;
  }
}
