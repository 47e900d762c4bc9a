package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.TierUse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints capacity and use, node by tier. */
@Command(
    name = "list",
    description = {
      "Prints capacity and use, node by tier.",
      "Each cell is used / capacity. Volumes that no tier matches stand in the column \"-\".",
      "The tiers are those that the active NameNode decides by; where it runs without the plug-in,"
          + " or cannot be asked, those of the tier table here. The last line says which."
    })
final class TiersListCommand extends ClusterCommand {
  private static final String NO_TIER = "-";

  @Option(names = "--volumes", description = "One row a volume instead of one a node.")
  private boolean perVolume;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      NameNodePlugin.InForce force = NameNodePlugin.inForce(fs, conf);
      ClusterVolumes volumes = ClusterVolumes.read(fs, force.table());
      String whose = force.tiers().whose() + force.active().whyTiersAreNotItsOwn();
      if (output.json()) {
        output.printJson(TierUse.of(volumes, whose));
      } else {
        if (perVolume) {
          printVolumes(volumes);
        } else {
          printNodes(volumes);
        }
        output.fold("tiers by: " + Words.plain(whose));
      }
      List<String> mistakes = volumes.mistakes();
      mistakes.forEach(output::say);
      return mistakes.isEmpty() ? 0 : ExitCode.BAD_INPUT;
    }
  }

  private void printVolumes(ClusterVolumes cluster) {
    TextTable table =
        new TextTable()
            .left("tier", "node", "rack", "type", "storage id", "state")
            .right("used", "capacity");
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

  private void printNodes(ClusterVolumes cluster) {
    TierUse.Nodes nodes = TierUse.byNode(cluster);
    TextTable table = new TextTable().left("node", "rack");
    nodes.tiers().forEach(tier -> table.right(tier == null ? NO_TIER : tier));
    nodes.rows().forEach(row -> table.row(cells(row.node(), row.rack(), row.cells())));
    table.row(cells("total", "", nodes.totals()));
    table.print(output.out());
  }

  private static Object[] cells(String node, String rack, List<TierUse.Cell> uses) {
    List<Object> cells = new ArrayList<>(List.of(node, rack));
    for (TierUse.Cell use : uses) {
      cells.add(
          use.capacityBytes() == 0
              ? ""
              : Words.bytes(use.usedBytes()) + " / " + Words.bytes(use.capacityBytes()));
    }
    return cells.toArray();
  }
}
