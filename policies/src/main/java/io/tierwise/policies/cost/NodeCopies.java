package io.tierwise.policies.cost;

/**
 * One pool's share in keeping a block: as many units, each on another node, all sets of nodes
 * equally likely, of which some are enough to read the block. Replicas are units of which one is
 * enough; of Reed-Solomon 6+3 there are 9, of which 6 are.
 *
 * @param pool index of the pool
 * @param units r for replicas, at least 1
 * @param needed from 1 to {@code units}
 */
public record NodeCopies(int pool, int units, int needed) {
  public NodeCopies {
    Require.positive("units", units);
    if (needed < 1 || needed > units) {
      throw new IllegalArgumentException(
          "needed is " + needed + ", must be from 1 to the " + units + " units");
    }
  }

  /** Copies of a block as a whole. */
  public static NodeCopies replicas(int pool, int count) {
    return new NodeCopies(pool, count, 1);
  }

  /** Bytes that are stored for each byte of data: r for r replicas, 1.5 for Reed-Solomon 6+3. */
  public double storedShare() {
    return units / (double) needed;
  }

  /**
   * Probability that too few units are left when f of n nodes have failed: the sum over j from u -
   * k + 1 to u of C(f, j) C(n - f, u - j) / C(n, u); u units, k needed.
   *
   * <p>Source: for k = 1 it is C(f, r) / C(n, r) of DerbyhatS, Eq. 5.5. Own: k above 1.
   */
  double lostGiven(int failed, int nodeCount) {
    double lost = 0;
    for (int gone = units - needed + 1; gone <= Math.min(units, failed); gone++) {
      lost += goneExactly(gone, failed, nodeCount);
    }
    return Math.min(1, lost);
  }

  /** As products of C(u, j) and of shares of nodes, which stay exact where they are tiny. */
  private double goneExactly(int gone, int failed, int nodeCount) {
    double probability = 1;
    for (int i = 0; i < gone; i++) {
      probability *= (failed - i) / (double) (nodeCount - i) * ((units - i) / (i + 1.0));
    }
    for (int i = 0; i < units - gone; i++) {
      probability *= Math.max(0, nodeCount - failed - i) / (double) (nodeCount - gone - i);
    }
    return probability;
  }
}
