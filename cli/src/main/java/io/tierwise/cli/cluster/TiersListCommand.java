package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.TierUse;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints capacity and use, node by tier. */
@Command(
    name = "list",
    description = {
      "Prints capacity and use, node by tier. Needs HDFS's superuser.",
      "Each cell is used / capacity. Volumes that no tier matches stand in the column \"-\".",
      "The tiers are those that the active NameNode decides by; where it runs without the plug-in,"
          + " or cannot be asked, those of the tier table here. The last line says which."
    },
    footer = "  tierwise tiers list --volumes")
final class TiersListCommand extends ClusterCommand {
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
        output.table(perVolume ? TierUse.volumeTable(volumes) : TierUse.nodeTable(volumes));
        output.fold("tiers by: " + Words.plain(whose));
      }
      List<String> mistakes = volumes.mistakes();
      mistakes.forEach(output::say);
      return mistakes.isEmpty() ? 0 : ExitCode.BAD_INPUT;
    }
  }
}
