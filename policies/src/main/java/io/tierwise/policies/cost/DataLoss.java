package io.tierwise.policies.cost;

import java.util.List;
import java.util.Locale;

/**
 * Probability that data is lost because too many nodes fail before anything is repaired.
 *
 * <p>P_loss = 1 - sum over f from 0 to n of P_failure(n, f) P_noLoss(n, b, r, f), with
 *
 * <ul>
 *   <li>P_failure(n, f) = C(n, f) p^f (1 - p)^(n - f): exactly f of n nodes fail;
 *   <li>P_noLoss(n, b, r, f) = (1 - C(f, r) / C(n, r))^b: none of b blocks has all of its r
 *       replicas on failed nodes;
 *   <li>p = 1 - R, R = exp(-T / MTBF): a node fails within T.
 * </ul>
 *
 * <p>Source: DerbyhatS, Eq. 5.3-5.6 (AptStore).
 *
 * <p>Deviation: the number of blocks is a parameter and may be infinite. Table 5.1 does not say its
 * b. With b so large that any r nodes hold all replicas of some block, eight of its twelve values
 * are ours, cut off after the printed digits; four are not, by 0.7% to 4.8%: 6.44e-2, 3.86e-3,
 * 1.42e-5 and 9.7e-4. Summed as sum of P_failure (1 - P_noLoss), which is the same and keeps small
 * probabilities exact.
 *
 * <p>Own: several pools of nodes, over whose failures the sum goes; blocks that are kept in several
 * ways, whose P_noLoss multiply; units of which more than one is needed ({@link NodeCopies}).
 */
public final class DataLoss {
  /** The most cases that are summed over several pools: a few seconds. */
  static final double TERMS_MAX = 1e7;

  /** Cases that are less likely than this share of the sum change no digit of it. */
  private static final double NEGLIGIBLE = 1e-20;

  private DataLoss() {}

  /**
   * Probability that a node fails within some time.
   *
   * <p>Source: DerbyhatS, Eq. 5.6.
   *
   * @param meanSecondsBetweenFailures of one node
   */
  public static double failureProbability(double seconds, double meanSecondsBetweenFailures) {
    Require.notNegative("seconds", seconds);
    Require.positive("meanSecondsBetweenFailures", meanSecondsBetweenFailures);
    return -Math.expm1(-seconds / meanSecondsBetweenFailures);
  }

  /**
   * Probability that at least one block is lost.
   *
   * @param nodeCount n, at least 1
   * @param replicaCount r, from 1 to n, each on another node, all sets of nodes equally likely
   * @param blockCount b; infinite when every set of r nodes holds some block
   * @param nodeFailureProbability p
   */
  public static double probability(
      int nodeCount, int replicaCount, double blockCount, double nodeFailureProbability) {
    Require.positive("replicaCount", replicaCount);
    return probability(
        List.of(new NodePool(nodeCount, nodeFailureProbability)),
        List.of(new KeptBlocks(blockCount, List.of(NodeCopies.replicas(0, replicaCount)))));
  }

  /**
   * Probability that at least one of all these blocks is lost.
   *
   * @throws IllegalArgumentException when a block wants more nodes than its pool has, or so many
   *     nodes stand in so many pools that the sum would take minutes
   */
  public static double probability(List<NodePool> pools, List<KeptBlocks> blocks) {
    blocks.forEach(kept -> kept.copies().forEach(part -> requireNodes(part, pools)));
    requireFewTerms(pools);
    Sum sum = new Sum(pools, blocks);
    sum.over(0, 1);
    return Math.min(1, sum.total);
  }

  private static void requireNodes(NodeCopies part, List<NodePool> pools) {
    int nodeCount = pools.get(part.pool()).nodeCount();
    if (part.units() > nodeCount) {
      String name = part.needed() == 1 ? "replicaCount" : "units";
      throw new IllegalArgumentException(
          name + " is " + part.units() + ", more than the " + nodeCount + " nodes");
    }
  }

  private static void requireFewTerms(List<NodePool> pools) {
    double terms = pools.stream().mapToDouble(NodePool::termCount).reduce(1, (a, b) -> a * b);
    if (pools.size() > 1 && terms > TERMS_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the failures of %d pools are %.1e cases, at most %.1e are summed",
              pools.size(),
              terms,
              TERMS_MAX));
    }
  }

  /** Over the failures of all pools; terms that change no digit of it are left out. */
  private static final class Sum {
    private final List<NodePool> pools;
    private final List<KeptBlocks> blocks;
    private final double[][] failures;
    private final int[] failed;
    private double total;

    Sum(List<NodePool> pools, List<KeptBlocks> blocks) {
      this.pools = pools;
      this.blocks = blocks;
      this.failures = pools.stream().map(NodePool::failures).toArray(double[][]::new);
      this.failed = new int[pools.size()];
    }

    /**
     * Adds the cases of the pools from {@code pool} on; the failures of those before it are given,
     * with their probability. Each pool's numbers of failures are gone through from the most likely
     * one upwards, then downwards: on either side they become ever less likely.
     */
    void over(int pool, double probability) {
      if (pool == failures.length) {
        total += probability * lossGivenFailures();
        return;
      }
      int likeliest = pools.get(pool).likeliestFailures();
      int count = likeliest;
      while (count < failures[pool].length && add(pool, count, probability)) {
        count++;
      }
      count = likeliest - 1;
      while (count >= 0 && add(pool, count, probability)) {
        count--;
      }
    }

    /** Whether the case was likely enough to matter. */
    private boolean add(int pool, int count, double probability) {
      double here = probability * failures[pool][count];
      if (here <= total * NEGLIGIBLE) {
        return false;
      }
      failed[pool] = count;
      over(pool + 1, here);
      return true;
    }

    /** 1 - P_noLoss. */
    private double lossGivenFailures() {
      double logNoLoss = 0;
      for (KeptBlocks kept : blocks) {
        logNoLoss += kept.logNoLoss(pools, failed);
      }
      return -Math.expm1(logNoLoss);
    }
  }
}
