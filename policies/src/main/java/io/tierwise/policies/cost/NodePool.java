package io.tierwise.policies.cost;

/**
 * Nodes that fail alike, each independently of all others.
 *
 * @param nodeCount n, at least 1
 * @param failureProbability p, of each node within the time that is looked at
 */
public record NodePool(int nodeCount, double failureProbability) {
  public NodePool {
    Require.positive("nodeCount", nodeCount);
    Require.probability("nodeFailureProbability", failureProbability);
  }

  /** The f of the largest P_failure(n, f), the mode of a binomial distribution. */
  int likeliestFailures() {
    return (int) Math.min(nodeCount, Math.floor((nodeCount + 1.0) * failureProbability));
  }

  /** About how many values of f matter: 10 standard deviations on either side of the mode. */
  double termCount() {
    double deviation = Math.sqrt(nodeCount * failureProbability * (1 - failureProbability));
    return Math.min(nodeCount + 1.0, 20 * deviation + 20);
  }

  /**
   * P_failure(n, f) by f, from 0 to n.
   *
   * <p>Source: DerbyhatS, Eq. 5.4.
   */
  double[] failures() {
    double[] probabilities = new double[nodeCount + 1];
    if (failureProbability == 0 || failureProbability == 1) {
      probabilities[failureProbability == 0 ? 0 : nodeCount] = 1;
      return probabilities;
    }
    double logChoose = 0;
    for (int failed = 0; failed <= nodeCount; failed++) {
      double log =
          logChoose
              + failed * Math.log(failureProbability)
              + (nodeCount - failed) * Math.log1p(-failureProbability);
      probabilities[failed] = Math.exp(log);
      logChoose += Math.log((nodeCount - failed) / (failed + 1.0));
    }
    return probabilities;
  }
}
