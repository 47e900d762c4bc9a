package io.tierwise.policies.cost;

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
 * b; its twelve values come out when b is so large that any r nodes hold all replicas of some
 * block. Summed as sum of P_failure (1 - P_noLoss), which is the same and keeps small probabilities
 * exact.
 */
public final class DataLoss {
  /** Terms below e^this, behind the largest one, change no digit of the sum. */
  private static final double NEGLIGIBLE_LOG = -745;

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
    requireCounts(nodeCount, replicaCount, blockCount);
    Require.probability("nodeFailureProbability", nodeFailureProbability);
    double p = nodeFailureProbability;
    if (p == 0 || p == 1 || blockCount == 0) {
      return p == 0 || blockCount == 0 ? 0 : 1;
    }
    double logChoose = logChoose(nodeCount, replicaCount);
    double loss = 0;
    for (int failed = replicaCount; failed <= nodeCount; failed++) {
      double log = logChoose + failed * Math.log(p) + (nodeCount - failed) * Math.log1p(-p);
      loss += Math.exp(log) * lossGivenFailures(nodeCount, replicaCount, blockCount, failed);
      if (log < NEGLIGIBLE_LOG && failed > nodeCount * p) {
        break;
      }
      logChoose += Math.log((nodeCount - failed) / (failed + 1.0));
    }
    return Math.min(1, loss);
  }

  /** 1 - P_noLoss for f of at least r. */
  private static double lossGivenFailures(
      int nodeCount, int replicaCount, double blockCount, int failed) {
    double allReplicasFailed = 1;
    for (int i = 0; i < replicaCount; i++) {
      allReplicasFailed *= (failed - i) / (double) (nodeCount - i);
    }
    if (allReplicasFailed >= 1 || Double.isInfinite(blockCount)) {
      return 1;
    }
    return -Math.expm1(blockCount * Math.log1p(-allReplicasFailed));
  }

  private static double logChoose(int n, int k) {
    double log = 0;
    for (int i = 0; i < k; i++) {
      log += Math.log((n - i) / (i + 1.0));
    }
    return log;
  }

  private static void requireCounts(int nodeCount, int replicaCount, double blockCount) {
    Require.positive("nodeCount", nodeCount);
    Require.positive("replicaCount", replicaCount);
    if (replicaCount > nodeCount) {
      throw new IllegalArgumentException(
          "replicaCount is " + replicaCount + ", more than the " + nodeCount + " nodes");
    }
    if (!(blockCount >= 0)) {
      throw new IllegalArgumentException("blockCount is " + blockCount + ", must not be negative");
    }
  }
}
