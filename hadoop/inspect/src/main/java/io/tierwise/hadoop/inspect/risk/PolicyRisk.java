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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The risk of a way to keep data, on nodes of which figures are told; asks no cluster. */
public final class PolicyRisk {
  private static final String LAYOUT = "layout:";

  /** Units of data and of parity; HDFS takes no code of more than 999 units. */
  private static final Pattern CODE = Pattern.compile("([1-9]\\d{0,2})\\+([1-9]\\d{0,2})");

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
   * A policy's layout, or some numbers of replicas and some erasure codes.
   *
   * @param policy null for the others
   * @param replicas with no codes either, empty for as many as HDFS keeps
   * @param codes as {@code 6+3}: units of data and of parity
   */
  public RiskAnswer of(String policy, List<Integer> replicas, List<String> codes) {
    boolean told = !replicas.isEmpty() || !codes.isEmpty();
    if (policy != null && told) {
      throw OperatorException.badInput("--policy excludes --replicas and --code: give one of them");
    }
    return policy != null
        ? ofPolicy(policy)
        : ofAlike(told ? replicas : List.of(HDFS_REPLICAS), codes);
  }

  /** Each of these ways to keep blocks, on nodes that are all alike. */
  private RiskAnswer ofAlike(List<Integer> replicas, List<String> codes) {
    List<RiskAnswer.Pool> pools = List.of(figures.pool());
    List<RiskAnswer.Row> rows = new ArrayList<>();
    for (int count : replicas) {
      OperatorException.requireAtLeast(1, "--replicas", count);
      rows.add(row(Words.count(count, "replica"), List.of(NodeCopies.replicas(0, count)), pools));
    }
    for (String code : codes) {
      NodeCopies units = units(code);
      rows.add(row("any " + units.needed() + " of " + units.units(), List.of(units), pools));
    }
    return RiskAnswer.ofWish(figures.repairSeconds(), pools, rows);
  }

  private static NodeCopies units(String code) {
    Matcher matcher = CODE.matcher(code);
    if (!matcher.matches()) {
      throw OperatorException.badInput(
          "--code " + code + " is none: give units of data and of parity, as 6+3");
    }
    int data = Integer.parseInt(matcher.group(1));
    return new NodeCopies(0, data + Integer.parseInt(matcher.group(2)), data);
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
