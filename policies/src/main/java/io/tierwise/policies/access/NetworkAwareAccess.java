package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * Keeps the host's own order: stock HDFS, nearest first.
 *
 * <p>Source: hatS, section 4.1.3.1, and the default data access of the access strategies paper,
 * section II-D.
 */
public record NetworkAwareAccess() implements AccessStrategy {
  static final String NAME = "network-aware";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    return view.replicaCount() <= 1 ? AccessReason.ONLY_REPLICA : AccessReason.NEAREST;
  }
}
