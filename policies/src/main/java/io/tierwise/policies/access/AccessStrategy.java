package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * Orders the replicas of a block for one reader. Stateless beyond its settings, safe to call from
 * many threads.
 *
 * <p>Promises of every implementation (the contract suite checks them): the order is a permutation
 * of all replicas (none is dropped: a reader must be able to fall back to each); same request, view
 * and seed give the same order.
 */
public interface AccessStrategy {
  /** The strategy's specification in canonical form; {@code AccessStrategies.parse} accepts it. */
  String name();

  /**
   * Writes the order into {@code order[0 .. view.replicaCount())}: replica numbers, the one to read
   * from first.
   *
   * @return why the first one is first
   */
  AccessReason order(AccessRequest request, ReadView view, RandomGenerator random, int[] order);
}
