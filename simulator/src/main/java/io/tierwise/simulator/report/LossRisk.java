package io.tierwise.simulator.report;

import io.tierwise.policies.cost.DataLoss;
import io.tierwise.policies.cost.KeptBlocks;
import io.tierwise.policies.cost.NodeCopies;
import io.tierwise.policies.cost.NodePool;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * The probability that a day's failures destroy all replicas of a block, by where the blocks stand
 * at the end of the run.
 *
 * <p>P_noLoss(n, b, r, f) = (1 - C(f, r) / C(n, r))^b of DerbyhatS, Eq. 5.5, with the sets of nodes
 * that really hold blocks in the place of b blocks on sets that are drawn: blocks on the same nodes
 * are lost together. Own: D different sets of the C = C(n, r) that there are count as
 *
 * <p>b = log(1 - D / C) / log(1 - 1 / C), so that P_noLoss is 1 - D / C, which is exact, when
 * exactly r nodes fail: with rare failures nearly all of the risk. With more failures the sets are
 * taken to lie as if they were drawn.
 */
final class LossRisk {
  private static final double DAY_SECONDS = 86_400;

  /** Source: DerbyhatS 5.3.7: a node fails every three years. */
  private static final double NODE_FAILURE_A_DAY =
      DataLoss.failureProbability(DAY_SECONDS, 3 * 365 * DAY_SECONDS);

  private LossRisk() {}

  /** The risk of a run; not a number when nothing is stored. */
  static double of(RunResult run, Scenario scenario) {
    long nodes =
        scenario.cluster().racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .filter(group -> group.node().volumes().stream().anyMatch(v -> v.data()))
            .mapToLong(group -> group.count())
            .sum();
    return of((int) nodes, run.atEnd().nodeSets(), NODE_FAILURE_A_DAY);
  }

  /**
   * The risk of blocks on sets of nodes.
   *
   * @param nodeSets the i-th: different sets of i nodes
   */
  static double of(int nodeCount, long[] nodeSets, double nodeFailureProbability) {
    List<KeptBlocks> kept = new ArrayList<>();
    for (int size = 1; size < nodeSets.length; size++) {
      if (nodeSets[size] > 0) {
        double count = asDrawn((double) nodeSets[size], nodeCount, size);
        kept.add(new KeptBlocks(count, List.of(NodeCopies.replicas(0, size))));
      }
    }
    return kept.isEmpty()
        ? Double.NaN
        : DataLoss.probability(List.of(new NodePool(nodeCount, nodeFailureProbability)), kept);
  }

  /** b: as many drawn sets as leave so many of all sets out. */
  private static double asDrawn(double sets, int nodeCount, int size) {
    double all = 1;
    for (int i = 0; i < size; i++) {
      all *= (nodeCount - i) / (i + 1.0);
    }
    return sets >= Math.rint(all)
        ? Double.POSITIVE_INFINITY
        : Math.log1p(-sets / all) / Math.log1p(-1 / all);
  }
}
