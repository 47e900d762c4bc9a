package io.tierwise.policies.cost;

import java.util.List;

/**
 * Blocks that are kept alike.
 *
 * @param count b; infinite when every set of nodes holds some block
 * @param copies by pool; a block is lost when it can be read from none of them
 */
public record KeptBlocks(double count, List<NodeCopies> copies) {
  public KeptBlocks {
    copies = List.copyOf(copies);
    if (!(count >= 0)) {
      throw new IllegalArgumentException("blockCount is " + count + ", must not be negative");
    }
    if (copies.isEmpty()) {
      throw new IllegalArgumentException("blocks without copies are lost already");
    }
  }

  /**
   * Log of the probability that none is lost.
   *
   * @param failed nodes by pool
   */
  double logNoLoss(List<NodePool> pools, int[] failed) {
    double lost = 1;
    for (NodeCopies part : copies) {
      lost *= part.lostGiven(failed[part.pool()], pools.get(part.pool()).nodeCount());
    }
    // Infinity times zero is not a number; here it means that no block can be lost.
    return lost == 0 || count == 0 ? 0 : count * Math.log1p(-lost);
  }
}
