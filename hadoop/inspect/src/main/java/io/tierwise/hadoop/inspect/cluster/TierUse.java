package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Capacity and use of a running cluster, tier by tier and volume by volume.
 *
 * @param tierTable whose table the tiers are of, for people
 * @param tiers fastest first
 */
public record TierUse(
    String tierTable, List<TierUse.TierRow> tiers, List<TierUse.VolumeRow> volumes) {

  public record TierRow(String name, long usedBytes, long capacityBytes, int volumeCount) {}

  /**
   * A volume.
   *
   * @param tier null when no tier matches it
   * @param matchingTiers all that match it; more than one is a mistake in the tier table
   */
  public record VolumeRow(
      String tier,
      List<String> matchingTiers,
      String node,
      String address,
      String rack,
      String state,
      boolean failed,
      String storageType,
      String storageId,
      long usedBytes,
      long capacityBytes,
      long remainingBytes) {}

  /** The use of a cluster's volumes; {@code whose} tells whose tier table the tiers are of. */
  public static TierUse of(ClusterVolumes cluster, String whose) {
    List<TierRow> rows = new ArrayList<>();
    for (Tier tier : cluster.tiers().table().tiers()) {
      List<ClusterVolumes.Volume> mine =
          cluster.volumes().stream().filter(v -> v.tier() == tier.index()).toList();
      rows.add(
          new TierRow(
              tier.name(),
              mine.stream().mapToLong(ClusterVolumes.Volume::usedBytes).sum(),
              mine.stream().mapToLong(ClusterVolumes.Volume::capacityBytes).sum(),
              mine.size()));
    }
    return new TierUse(
        whose, rows, cluster.volumes().stream().map(volume -> row(cluster, volume)).toList());
  }

  private static VolumeRow row(ClusterVolumes cluster, ClusterVolumes.Volume volume) {
    return new VolumeRow(
        cluster.tierName(volume),
        volume.matchingTiers().stream().map(t -> cluster.tiers().table().tier(t).name()).toList(),
        volume.nodeName(),
        volume.address(),
        volume.rack(),
        Words.word(volume.adminState()),
        volume.failed(),
        volume.storageType(),
        volume.storageId(),
        volume.usedBytes(),
        volume.capacityBytes(),
        volume.remainingBytes());
  }

  /** Used and total bytes of a node's volumes of one tier. */
  public record Cell(long usedBytes, long capacityBytes) {
    private static final Cell NOTHING = new Cell(0, 0);

    private Cell plus(ClusterVolumes.Volume volume) {
      return new Cell(usedBytes + volume.usedBytes(), capacityBytes + volume.capacityBytes());
    }
  }

  /**
   * A node.
   *
   * @param cells one a tier of the table
   */
  public record NodeRow(String node, String rack, List<Cell> cells) {}

  /**
   * Node by tier.
   *
   * @param tiers names of those that have a volume, fastest first; null, last, for volumes that no
   *     tier matches
   * @param rows by node's name
   * @param totals one a tier
   */
  public record Nodes(List<String> tiers, List<NodeRow> rows, List<Cell> totals) {}

  /** The use of each node's volumes, tier by tier. */
  public static Nodes byNode(ClusterVolumes cluster) {
    List<String> tiers = new ArrayList<>();
    for (Tier tier : cluster.tiers().table().tiers()) {
      if (cluster.volumes().stream().anyMatch(v -> v.tier() == tier.index())) {
        tiers.add(tier.name());
      }
    }
    if (cluster.volumes().stream().anyMatch(v -> v.tier() < 0)) {
      tiers.add(null);
    }
    Map<String, List<ClusterVolumes.Volume>> byNode = new TreeMap<>();
    for (ClusterVolumes.Volume volume : cluster.volumes()) {
      byNode.computeIfAbsent(volume.nodeName(), node -> new ArrayList<>()).add(volume);
    }
    List<NodeRow> rows = new ArrayList<>();
    byNode.forEach(
        (node, volumes) ->
            rows.add(
                new NodeRow(
                    node, volumes.get(volumes.size() - 1).rack(), cells(cluster, volumes, tiers))));
    return new Nodes(tiers, rows, cells(cluster, cluster.volumes(), tiers));
  }

  private static List<Cell> cells(
      ClusterVolumes cluster, List<ClusterVolumes.Volume> volumes, List<String> tiers) {
    List<Cell> cells = new ArrayList<>();
    for (String tier : tiers) {
      Cell sum = Cell.NOTHING;
      for (ClusterVolumes.Volume volume : volumes) {
        sum = Objects.equals(tier, cluster.tierName(volume)) ? sum.plus(volume) : sum;
      }
      cells.add(sum);
    }
    return cells;
  }

  /** Volumes, a row each, for people. */
  public static Table volumeTable(ClusterVolumes cluster) {
    Table table =
        new Table()
            .text("tier", "node", "rack", "type", "storage id", "state")
            .number("used", "capacity");
    for (ClusterVolumes.Volume volume : cluster.volumes()) {
      table.row(
          cluster.tierName(volume),
          volume.nodeName(),
          volume.rack(),
          volume.storageType(),
          volume.storageId(),
          volume.failed() ? "failed" : volume.adminState().toLowerCase(Locale.ROOT),
          Words.bytes(volume.usedBytes()),
          Words.bytes(volume.capacityBytes()));
    }
    return table;
  }

  /** Node by tier, for people; volumes that no tier matches stand in the column "-". */
  public static Table nodeTable(ClusterVolumes cluster) {
    Nodes nodes = byNode(cluster);
    Table table = new Table().text("node", "rack");
    nodes.tiers().forEach(tier -> table.number(tier == null ? "-" : tier));
    nodes.rows().forEach(row -> table.row(texts(row.node(), row.rack(), row.cells())));
    table.row(texts("total", "", nodes.totals()));
    return table;
  }

  private static Object[] texts(String node, String rack, List<Cell> uses) {
    List<Object> cells = new ArrayList<>(List.of(node, rack));
    for (Cell use : uses) {
      cells.add(
          use.capacityBytes() == 0
              ? ""
              : Words.bytes(use.usedBytes()) + " / " + Words.bytes(use.capacityBytes()));
    }
    return cells.toArray();
  }
}
