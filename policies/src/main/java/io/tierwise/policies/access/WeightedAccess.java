package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import java.util.random.RandomGenerator;

/**
 * Draws the order at random, heavier replicas first: each place is drawn among the replicas that
 * are left, with probability proportional to weight.
 *
 * <p>Source: hatS, section 4.1.3.2: a weighted random function determines the DataNode, so that
 * requests for a file spread over tiers without a hot spot. Own: the later places, which the paper
 * leaves open, are drawn by the same weights, up to {@link #DRAWN_PLACES_MAX}; the rest keeps the
 * host's order.
 *
 * <p>A replica whose class has not been measured has no weight in the figures' unit; then all
 * weights of the block are by rank: a tier weighs {@link #RANK_FACTOR} times the next slower one.
 */
sealed interface WeightedAccess extends AccessStrategy
    permits NetworkWeightedAccess, TierAwareAccess, HybridAccess, PipelinedHybridAccess {
  /**
   * Own: hatS, Table 4.2, reads 533, 191 and 61 MB/s from its three tiers: 2.8 and 3.1 times the
   * next slower one.
   */
  double RANK_FACTOR = 3;

  /**
   * Own: each draw looks at all replicas that are left. Users may make 512, and no reader goes
   * through so many.
   */
  int DRAWN_PLACES_MAX = 16;

  /** Keeps sums finite whatever figures and capacities an administrator enters. */
  double WEIGHT_MAX = 1e30;

  /** The replica's weight: positive and finite. Weights of one block share one basis. */
  double weight(ReadView view, int replica, Basis basis);

  /** The figure by which all replicas of the view can be weighed. */
  Basis basis(ReadView view);

  /** The figures behind the weights of one block. */
  enum Basis {
    RANK(false, false),
    RANK_AND_CAPACITY(false, true),
    FIGURE(true, false),
    FIGURE_AND_CAPACITY(true, true);

    final boolean byFigure;
    final boolean byCapacity;

    Basis(boolean byFigure, boolean byCapacity) {
      this.byFigure = byFigure;
      this.byCapacity = byCapacity;
    }

    static Basis of(boolean byFigure, boolean byCapacity) {
      if (byFigure) {
        return byCapacity ? FIGURE_AND_CAPACITY : FIGURE;
      }
      return byCapacity ? RANK_AND_CAPACITY : RANK;
    }
  }

  @Override
  default AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    ReplicaOrder.asGiven(view, order);
    int count = view.replicaCount();
    if (count <= 1) {
      return AccessReason.ONLY_REPLICA;
    }
    Basis basis = basis(view);
    int drawn = Math.min(count - 1, DRAWN_PLACES_MAX);
    for (int place = 0; place < drawn; place++) {
      ReplicaOrder.moveForward(order, draw(view, basis, random, order, place), place);
    }
    return AccessReason.WEIGHTED_DRAW;
  }

  private int draw(ReadView view, Basis basis, RandomGenerator random, int[] order, int place) {
    int last = view.replicaCount() - 1;
    double total = 0;
    for (int i = place; i <= last; i++) {
      total += weight(view, order[i], basis);
    }
    double left = random.nextDouble() * total;
    for (int i = place; i < last; i++) {
      left -= weight(view, order[i], basis);
      if (left < 0) {
        return i;
      }
    }
    return last;
  }

  /** The weight of the replica's tier by its rank: 1 for the fastest, positive for all. */
  static double rankWeight(ReadView view, int replica) {
    int rank = ReplicaOrder.tierRank(view, replica);
    return RankWeights.OF[Math.min(rank, RankWeights.OF.length - 1)];
  }

  static double bounded(double weight) {
    return Math.max(1 / WEIGHT_MAX, Math.min(weight, WEIGHT_MAX));
  }

  /** By rank; beyond 40 ranks a weight is 1e-19 of the fastest: no draw tells them apart. */
  final class RankWeights {
    private static final double[] OF = new double[41];

    static {
      OF[0] = 1;
      for (int rank = 1; rank < OF.length; rank++) {
        OF[rank] = OF[rank - 1] / RANK_FACTOR;
      }
    }

    private RankWeights() {}
  }
}
