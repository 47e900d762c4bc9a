package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * Every order of the replicas is equally likely: the baseline that is oblivious of tier and
 * network.
 *
 * <p>Source: hatS, section 4.3 (random data placement and retrieval, for comparison).
 */
public record RandomAccess() implements AccessStrategy {
  static final String NAME = "random";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    int count = view.replicaCount();
    for (int i = count - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int replica = order[i];
      order[i] = order[j];
      order[j] = replica;
    }
    return count <= 1 ? AccessReason.ONLY_REPLICA : AccessReason.UNIFORM_DRAW;
  }
}
