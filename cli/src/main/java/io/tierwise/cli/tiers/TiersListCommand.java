package io.tierwise.cli.tiers;

import io.tierwise.hadoop.inspect.cluster.TierUse;
import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints capacity and use, node by tier. */
@Command(
    name = "list",
    description = {
      "Prints capacity and use, node by tier.",
      "Each cell is used / capacity. Volumes that no tier matches stand in the column \"-\".",
      "The tiers are those that the active NameNode decides by; where it runs without the plug-in,"
          + " or cannot be asked, those of the tier table here. The last line says which."
    },
    mixinStandardHelpOptions = true)
final class TiersListCommand implements Callable<Integer> {
  private static final String NO_TIER = "-";

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Option(names = "--volumes", description = "One row a volume instead of one a node.")
  private boolean perVolume;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    TierConfiguration own = TierConfiguration.load(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      NameNodePlugin plugin = new NameNodePlugin(fs, conf);
      NameNodePlugin.Answer active = plugin.ofActive();
      NameNodePlugin.Tiers tiers = plugin.tiersInForce(active, own);
      ClusterVolumes volumes = ClusterVolumes.read(fs, tiers.configuration());
      String whose = tiers.whose() + whyNotInForce(active);
      if (output.json()) {
        output.printJson(TierUse.of(volumes, whose));
      } else {
        if (perVolume) {
          printVolumes(volumes);
        } else {
          printNodes(volumes);
        }
        output.out().println(Fold.text("tiers by: " + Words.plain(whose)));
        output.out().flush();
      }
      List<String> mistakes = volumes.mistakes();
      mistakes.forEach(output::say);
      return mistakes.isEmpty() ? 0 : ExitCode.BAD_INPUT;
    }
  }

  /** Why the NameNode's own tiers are not shown; empty when they are. */
  private static String whyNotInForce(NameNodePlugin.Answer active) {
    return switch (active.state()) {
      case RUNS -> "";
      case MISSING -> ": the NameNode " + active.nameNode() + " runs without the plug-in";
      case UNKNOWN ->
          ": the NameNode " + active.nameNode() + " does not tell its own: " + active.problem();
    };
  }

  private void printVolumes(ClusterVolumes cluster) {
    TextTable table =
        new TextTable()
            .left("tier")
            .left("node")
            .left("rack")
            .left("type")
            .left("storage id")
            .left("state")
            .right("used")
            .right("capacity");
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
    table.print(output.out());
  }

  /** Used and total bytes of one cell of the node by tier table. */
  private record Use(long usedBytes, long capacityBytes) {
    static final Use NOTHING = new Use(0, 0);

    Use plus(ClusterVolumes.Volume volume) {
      return new Use(usedBytes + volume.usedBytes(), capacityBytes + volume.capacityBytes());
    }

    @Override
    public String toString() {
      return capacityBytes == 0 ? "" : Words.bytes(usedBytes) + " / " + Words.bytes(capacityBytes);
    }
  }

  private void printNodes(ClusterVolumes cluster) {
    List<String> columns = columns(cluster);
    Map<String, Map<String, Use>> byNode = new LinkedHashMap<>();
    Map<String, String> rackOf = new LinkedHashMap<>();
    Map<String, Use> totals = new LinkedHashMap<>();
    for (ClusterVolumes.Volume volume : cluster.volumes()) {
      String tier = volume.tier() < 0 ? NO_TIER : cluster.tierName(volume);
      rackOf.put(volume.nodeName(), volume.rack());
      byNode
          .computeIfAbsent(volume.nodeName(), node -> new LinkedHashMap<>())
          .merge(tier, Use.NOTHING.plus(volume), (old, added) -> old.plus(volume));
      totals.merge(tier, Use.NOTHING.plus(volume), (old, added) -> old.plus(volume));
    }
    TextTable table = new TextTable().left("node").left("rack");
    columns.forEach(table::right);
    byNode.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(e -> table.row(cells(e.getKey(), rackOf.get(e.getKey()), columns, e.getValue())));
    table.row(cells("total", "", columns, totals));
    table.print(output.out());
  }

  private static List<String> columns(ClusterVolumes cluster) {
    List<String> columns = new ArrayList<>();
    for (Tier tier : cluster.tiers().table().tiers()) {
      if (cluster.volumes().stream().anyMatch(v -> v.tier() == tier.index())) {
        columns.add(tier.name());
      }
    }
    if (cluster.volumes().stream().anyMatch(v -> v.tier() < 0)) {
      columns.add(NO_TIER);
    }
    return columns;
  }

  private static Object[] cells(
      String node, String rack, List<String> columns, Map<String, Use> uses) {
    List<Object> cells = new ArrayList<>(List.of(node, rack));
    columns.forEach(column -> cells.add(uses.getOrDefault(column, Use.NOTHING)));
    return cells.toArray();
  }
}
