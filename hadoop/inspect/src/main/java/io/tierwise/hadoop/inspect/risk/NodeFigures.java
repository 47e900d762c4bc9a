package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.policies.cost.DataLoss;
import io.tierwise.policies.cost.KeptBlocks;
import io.tierwise.policies.cost.NodeCopies;
import io.tierwise.policies.cost.NodePool;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Figures of nodes as the user gave them, tier by tier: each one as {@code [TIER=]NUMBER}.
 *
 * <p>Where nothing is told: 3 years between two failures of a Hadoop node, 200 W for 24 TB. Source:
 * DerbyhatS, 5.3.7 and 5.1.3, which has 6 years and 0.78 W per TB for a filer.
 */
public final class NodeFigures {
  static final double DAY_SECONDS = 86_400;
  static final double YEAR_SECONDS = 365 * DAY_SECONDS;
  private static final double HADOOP_MTBF_YEARS = 3;
  private static final double HADOOP_WATTS_PER_TERABYTE = 200.0 / 24;
  private static final String NODES = "--nodes";
  private static final int NODES_MAX = 1_000_000;
  private static final double YEARS_MAX = 1_000_000;
  private static final double WATTS_MAX = 1_000_000;
  private static final double DAYS_MAX = 36_500;

  private final PerTier nodes;
  private final PerTier mtbfYears;
  private final PerTier wattsPerTerabyte;
  private final double days;

  /**
   * Figures as options give them.
   *
   * @param days that are looked at, in which nothing is repaired
   */
  public NodeFigures(
      List<String> nodes, List<String> mtbfYears, List<String> wattsPerTerabyte, double days) {
    if (!(days > 0 && days <= DAYS_MAX)) {
      throw OperatorException.badInput(
          "--days " + days + " is no time: give a number above 0 and at most 36500");
    }
    this.nodes = new PerTier(NODES, nodes, NODES_MAX);
    this.mtbfYears = new PerTier("--mtbf-years", mtbfYears, YEARS_MAX);
    this.wattsPerTerabyte = new PerTier("--watts-per-tb", wattsPerTerabyte, WATTS_MAX);
    this.days = days;
  }

  double repairSeconds() {
    return days * DAY_SECONDS;
  }

  /**
   * Tiers of which the number of nodes is told.
   *
   * @throws OperatorException when another figure names a tier that is not among them
   */
  Set<String> tiers() {
    Set<String> others = new TreeSet<>(mtbfYears.tiers());
    others.addAll(wattsPerTerabyte.tiers());
    others.removeAll(nodes.tiers());
    if (!others.isEmpty()) {
      String tier = others.iterator().next();
      throw OperatorException.badInput(
          "figures are given of tier "
              + tier
              + ", but no number of nodes: give --nodes "
              + tier
              + "=N");
    }
    return nodes.tiers();
  }

  /** The nodes of one of {@link #tiers}. */
  RiskAnswer.Pool pool(String tier) {
    return pool(tier, count(nodes.of(tier)), mtbfYears.of(tier), wattsPerTerabyte.of(tier));
  }

  /** All nodes, whatever their tiers. */
  RiskAnswer.Pool pool() {
    return pool(count(nodes.ofAll()));
  }

  /** As many nodes, whatever their tiers. */
  RiskAnswer.Pool pool(int count) {
    return pool(null, count, mtbfYears.ofAll(), wattsPerTerabyte.ofAll());
  }

  /** The number of nodes, when it is told. */
  OptionalInt nodes() {
    OptionalDouble told = nodes.ofAll();
    return told.isPresent() ? OptionalInt.of(count(told)) : OptionalInt.empty();
  }

  private RiskAnswer.Pool pool(String tier, int count, OptionalDouble years, OptionalDouble watts) {
    double failureSeconds = years.orElse(HADOOP_MTBF_YEARS) * YEAR_SECONDS;
    return new RiskAnswer.Pool(
        tier,
        count,
        failureSeconds,
        DataLoss.failureProbability(repairSeconds(), failureSeconds),
        watts.orElse(HADOOP_WATTS_PER_TERABYTE),
        years.isEmpty(),
        watts.isEmpty());
  }

  /**
   * The risk within a year, when it is {@code probability} within the days: as if all were repaired
   * at the end of these and they began anew.
   *
   * <p>1 - (1 - P)^(365 / days). Own.
   */
  double aYear(double probability) {
    return -Math.expm1(Math.log1p(-probability) * (YEAR_SECONDS / repairSeconds()));
  }

  /**
   * Probability that any of the blocks is lost.
   *
   * @throws OperatorException when they want more nodes than there are, or there are too many
   */
  static double lossOf(List<KeptBlocks> blocks, List<RiskAnswer.Pool> pools) {
    blocks.forEach(kept -> kept.copies().forEach(part -> requireNodes(part, pools)));
    try {
      return DataLoss.probability(
          pools.stream()
              .map(pool -> new NodePool(pool.nodes(), pool.failureProbability()))
              .toList(),
          blocks);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(e.getMessage() + ": change --nodes, or the replicas");
    }
  }

  private static void requireNodes(NodeCopies part, List<RiskAnswer.Pool> pools) {
    RiskAnswer.Pool pool = pools.get(part.pool());
    if (part.units() > pool.nodes()) {
      throw OperatorException.badInput(
          Words.count(part.units(), part.needed() == 1 ? "replica" : "unit")
              + " want as many nodes, but there "
              + (pool.nodes() == 1 ? "is " : "are ")
              + pool.nodesText()
              + ": change --nodes, or the replicas");
    }
  }

  /** Power for a TB of data, in all its copies. */
  static double wattsPerTerabyte(List<NodeCopies> copies, List<RiskAnswer.Pool> pools) {
    return copies.stream()
        .mapToDouble(part -> pools.get(part.pool()).wattsPerTerabyte() * part.storedShare())
        .sum();
  }

  private static int count(OptionalDouble told) {
    double value =
        told.orElseThrow(
            () -> OperatorException.badInput("nobody says how many nodes there are: give --nodes"));
    if (value != Math.rint(value)) {
      throw OperatorException.badInput("--nodes " + value + " is no whole number of nodes");
    }
    return (int) value;
  }
}
