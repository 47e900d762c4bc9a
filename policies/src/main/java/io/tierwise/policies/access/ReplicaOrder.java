package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;

/**
 * Sorts replica numbers in place, stably, without allocating.
 *
 * <p>Insertion by binary search: a block has three replicas, seldom ten; but users may make 512,
 * and then a view is asked some ten times a replica and not once for each pair. Equal keys keep the
 * host's order, in which stock HDFS has already shuffled equally near nodes.
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
      long key = view.distance(order[i]);
      int low = from;
      int high = i;
      // Mostly it is in its place: the host's own order is by distance.
      for (int middle = i - 1; low < high; middle = (low + high) >>> 1) {
        if (view.distance(order[middle]) > key) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      moveForward(order, i, low);
    }
  }

  /**
   * Sorts {@code order[from .. replicaCount)} by tier, fastest first, and by distance in a tier.
   */
  static void fastestFirst(ReadView view, int[] order, int from) {
    int count = view.replicaCount();
    for (int i = from + 1; i < count; i++) {
      long key = tierThenDistance(view, order[i]);
      int low = from;
      int high = i;
      for (int middle = i - 1; low < high; middle = (low + high) >>> 1) {
        if (tierThenDistance(view, order[middle]) > key) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      moveForward(order, i, low);
    }
  }

  /**
   * Moves {@code order[at]} to {@code order[to]}, {@code to <= at}; those between move up by one.
   */
  static void moveForward(int[] order, int at, int to) {
    int replica = order[at];
    System.arraycopy(order, to, order, to + 1, at - to);
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
