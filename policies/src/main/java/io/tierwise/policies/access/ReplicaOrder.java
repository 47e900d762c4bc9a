package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;

/**
 * Sorts replica numbers in place, stably, without allocating.
 *
 * <p>Insertion sort: a block has three replicas, seldom ten. Equal keys keep the host's order, in
 * which stock HDFS has already shuffled equally near nodes.
 */
final class ReplicaOrder {
  private ReplicaOrder() {}

  /** Writes the host's own order. */
  static void asGiven(ReadView view, int[] order) {
    int count = view.replicaCount();
    for (int i = 0; i < count; i++) {
      order[i] = i;
    }
  }

  /** Sorts {@code order[from .. replicaCount)} by distance. */
  static void nearestFirst(ReadView view, int[] order, int from) {
    int count = view.replicaCount();
    for (int i = from + 1; i < count; i++) {
      int replica = order[i];
      int distance = view.distance(replica);
      int j = i;
      while (j > from && view.distance(order[j - 1]) > distance) {
        order[j] = order[j - 1];
        j--;
      }
      order[j] = replica;
    }
  }

  /**
   * Sorts {@code order[from .. replicaCount)} by tier, fastest first, and by distance in a tier.
   */
  static void fastestFirst(ReadView view, int[] order, int from) {
    int count = view.replicaCount();
    for (int i = from + 1; i < count; i++) {
      int replica = order[i];
      long key = tierThenDistance(view, replica);
      int j = i;
      while (j > from && tierThenDistance(view, order[j - 1]) > key) {
        order[j] = order[j - 1];
        j--;
      }
      order[j] = replica;
    }
  }

  /**
   * Moves {@code order[at]} to {@code order[to]}, {@code to <= at}; those between move up by one.
   */
  static void moveForward(int[] order, int at, int to) {
    int replica = order[at];
    for (int i = at; i > to; i--) {
      order[i] = order[i - 1];
    }
    order[to] = replica;
  }

  /** The replica's tier index; an unknown tier ranks behind the slowest. */
  static int tierRank(ReadView view, int replica) {
    int tier = view.tier(replica);
    int tierCount = view.tiers().count();
    return tier < 0 || tier >= tierCount ? tierCount : tier;
  }

  static boolean isLocal(ReadView view, int replica) {
    return view.distance(replica) <= 0;
  }

  private static long tierThenDistance(ReadView view, int replica) {
    return ((long) tierRank(view, replica) << Integer.SIZE) + Math.max(0, view.distance(replica));
  }
}
