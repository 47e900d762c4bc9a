package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.policies.cost.KeptBlocks;
import io.tierwise.policies.cost.NodeCopies;
import io.tierwise.policies.placement.LayoutChange;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.ArrayList;
import java.util.List;

/** The risk of a way to keep data, on nodes of which figures are told; asks no cluster. */
public final class PolicyRisk {
  private static final String LAYOUT = "layout:";

  /** {@code dfs.replication}, unless somebody sets it. */
  private static final int HDFS_REPLICAS = 3;

  private final NodeFigures figures;
  private final double blocks;

  /**
   * Ways to keep so many blocks.
   *
   * @param blocks null for so many that any set of nodes holds some block
   */
  public PolicyRisk(NodeFigures figures, Long blocks) {
    if (blocks != null && blocks < 1) {
      throw OperatorException.badInput("--blocks " + blocks + " is too little: give 1 or more");
    }
    this.figures = figures;
    this.blocks = blocks == null ? Double.POSITIVE_INFINITY : blocks;
  }

  /**
   * A policy's layout, or some numbers of replicas.
   *
   * @param policy null for replicas
   * @param replicas empty for as many as HDFS keeps
   */
  public RiskAnswer of(String policy, List<Integer> replicas) {
    if (policy != null && !replicas.isEmpty()) {
      throw OperatorException.badInput("--policy and --replicas exclude each other: give one");
    }
    return policy != null
        ? ofPolicy(policy)
        : ofReplicas(replicas.isEmpty() ? List.of(HDFS_REPLICAS) : replicas);
  }

  /** Each of these numbers of replicas, on nodes that are all alike. */
  RiskAnswer ofReplicas(List<Integer> replicas) {
    List<RiskAnswer.Pool> pools = List.of(figures.pool());
    List<RiskAnswer.Row> rows = new ArrayList<>();
    for (int count : replicas) {
      OperatorException.requireAtLeast(1, "--replicas", count);
      rows.add(row(Words.count(count, "replica"), List.of(NodeCopies.replicas(0, count)), pools));
    }
    return RiskAnswer.ofWish(figures.repairSeconds(), pools, rows);
  }

  /**
   * A policy's layout without its surplus replicas, which may go at any time. The nodes of each
   * tier that it names are nodes of their own.
   *
   * @throws OperatorException when the policy has no layout or one that names places, or a tier has
   *     no figures
   */
  RiskAnswer ofPolicy(String text) {
    TierTable tiers = tiers();
    LayoutChange layout = layout(text, tiers);
    if (layout.count(Layout.Slot.ANY) > 0) {
      throw OperatorException.badInput(
          "--policy "
              + text
              + " leaves a tier open: name it, or give --replicas for nodes that are all alike");
    }
    if (layout.isBoundToPlaces()) {
      throw OperatorException.badInput(
          "--policy "
              + text
              + " names regions or racks, and nobody says how many nodes these have: name tiers"
              + " alone, and the nodes that replicas may stand on as --nodes TIER=N");
    }
    List<RiskAnswer.Pool> pools = new ArrayList<>();
    List<NodeCopies> copies = new ArrayList<>();
    for (Tier tier : tiers.tiers()) {
      int count = layout.count(tier.index());
      if (count > 0) {
        copies.add(NodeCopies.replicas(pools.size(), count));
        pools.add(figures.pool(tier.name()));
      }
    }
    return RiskAnswer.ofWish(figures.repairSeconds(), pools, List.of(row(text, copies, pools)));
  }

  private TierTable tiers() {
    List<DeviceClass> classes = figures.tiers().stream().map(DeviceClass::unmeasured).toList();
    if (classes.isEmpty()) {
      throw OperatorException.badInput(
          "--policy needs the nodes of its tiers: give --nodes TIER=N for each");
    }
    return TierTable.of(classes);
  }

  private static LayoutChange layout(String text, TierTable tiers) {
    try {
      String policy =
          PlacementPolicies.parse(PlacementPolicies.ofLayoutOrPolicy(text), tiers).name();
      if (policy.startsWith(LAYOUT)) {
        return LayoutChange.of(policy.substring(LAYOUT.length()), tiers);
      }
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--policy: " + e.getMessage());
    }
    throw OperatorException.badInput(
        "--policy " + text + " does not say how many replicas it keeps: give --replicas N");
  }

  private RiskAnswer.Row row(String words, List<NodeCopies> copies, List<RiskAnswer.Pool> pools) {
    double probability = NodeFigures.lossOf(List.of(new KeptBlocks(blocks, copies)), pools);
    return new RiskAnswer.Row(
        words,
        Double.isInfinite(blocks) ? null : (long) blocks,
        null,
        probability,
        figures.aYear(probability),
        NodeFigures.wattsPerTerabyte(copies, pools));
  }
}
