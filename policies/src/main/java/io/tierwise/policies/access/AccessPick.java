package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * The strategy that decides one read, and how it was picked. Kept by a host until the read is over,
 * and handed back with what it took.
 *
 * @param arm index of the strategy among those that a learning strategy switches between; 0 for one
 *     that does not switch
 * @param explored whether it was picked to learn about it, not because it reads fastest
 * @param strategy a strategy that does not switch
 */
public record AccessPick(int arm, boolean explored, AccessStrategy strategy) {
  /** As {@link AccessStrategy#order}; says {@link AccessReason#EXPLORED} where that is why. */
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    AccessReason reason = strategy.order(request, view, random, order);
    return explored && reason != AccessReason.ONLY_REPLICA ? AccessReason.EXPLORED : reason;
  }
}
