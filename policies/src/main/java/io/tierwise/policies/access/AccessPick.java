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
  /**
   * As {@link AccessStrategy#order}; says {@link AccessReason#EXPLORED} where that is why.
   *
   * @throws IllegalStateException when the answer is no permutation, with which a host would drop
   *     replicas, or has no reason
   */
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    AccessReason reason = strategy.order(request, view, random, order);
    int count = view.replicaCount();
    if (!isPermutation(order, count)) {
      throw new IllegalStateException(
          strategy.name() + " gave no permutation of " + count + " replicas");
    }
    if (reason == null) {
      throw new IllegalStateException(strategy.name() + " gave no reason for its order");
    }
    return explored && reason != AccessReason.ONLY_REPLICA ? AccessReason.EXPLORED : reason;
  }

  private static boolean isPermutation(int[] order, int count) {
    // Asked for every read: few blocks have more replicas than a long has bits.
    if (count > Long.SIZE) {
      boolean[] seen = new boolean[count];
      for (int i = 0; i < count; i++) {
        int at = order[i];
        if (at < 0 || at >= count || seen[at]) {
          return false;
        }
        seen[at] = true;
      }
      return true;
    }
    long seen = 0;
    for (int i = 0; i < count; i++) {
      int at = order[i];
      if (at < 0 || at >= count || (seen & 1L << at) != 0) {
        return false;
      }
      seen |= 1L << at;
    }
    return true;
  }
}
