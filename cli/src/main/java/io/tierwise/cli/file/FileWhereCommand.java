package io.tierwise.cli.file;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.inspect.compliance.TierSpread;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Counts the stored bytes and blocks of files tier by tier. */
@Command(
    name = "where",
    description = {
      "Counts the stored bytes and blocks of files, tier by tier, and region by region where"
          + " replicas are in several.",
      "A tier, or a region, with all blocks has a whole copy: of an erasure-coded block as many"
          + " different parts as it takes to read it. 'tierwise explain' shows one file in full.",
      "Exit code 3 when something below PATH may not be read."
    },
    footer = "  tierwise file where /warehouse")
final class FileWhereCommand extends ClusterCommand {
  @Mixin private PathsParameter paths;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    ClusterConnection.keepNameNodesOrder(conf);
    try (StoredFiles files = paths.find(conf)) {
      NameNodePlugin.InForce force = NameNodePlugin.inForce(files.fs(), conf);
      TierSpread.Answer answer =
          TierSpread.of(
              files.fs(), force.table(), force.active().regions(conf), files.plainPaths());
      output.answer(answer, () -> print(answer, force.tiers().whose()));
      if (answer.incomplete() != null) {
        throw answer.incomplete();
      }
      return 0;
    }
  }

  private void print(TierSpread.Answer answer, String whose) {
    answer.tables().forEach(output::table);
    output.fold(answer.text());
    output.fold("tiers by: " + Words.plain(whose));
  }
}
