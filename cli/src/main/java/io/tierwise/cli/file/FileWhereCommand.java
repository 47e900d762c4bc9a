package io.tierwise.cli.file;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.inspect.compliance.TierSpread;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Counts the stored bytes and blocks of files tier by tier. */
@Command(
    name = "where",
    description = {
      "Counts the stored bytes and blocks of files, tier by tier, and region by region where"
          + " replicas are in several.",
      "A tier, or a region, with all blocks has a whole copy. 'tierwise explain' shows one file in full.",
      "Exit code 3 when something below PATH may not be read."
    })
final class FileWhereCommand extends ClusterCommand {
  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "Files and directories, all of one cluster.")
  private List<String> paths;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    // Locations as the NameNode gives them.
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    try (StoredFiles files = StoredFiles.find(conf, paths)) {
      NameNodePlugin.InForce force = NameNodePlugin.inForce(files.fs(), conf);
      if (force.active().runs()) {
        conf.set(RegionNames.REGIONS_KEY, force.active().status().regionMap());
      }
      TierSpread.Answer answer =
          TierSpread.of(files.fs(), force.table(), new RegionNames(conf), files.plainPaths());
      if (output.json()) {
        output.printJson(answer);
      } else {
        print(answer, force.tiers().whose());
      }
      if (answer.incomplete() != null) {
        throw answer.incomplete();
      }
      return 0;
    }
  }

  /** A cluster of one region has nothing to tell of it. */
  private void printRegions(TierSpread.Answer answer) {
    if (answer.regions().size() < 2) {
      return;
    }
    TextTable table =
        new TextTable().left("region").right("blocks", "replicas", "bytes", "whole files");
    for (TierSpread.RegionRow row : answer.regions()) {
      table.row(
          row.region(), row.blocks(), row.replicas(), Words.bytes(row.bytes()), row.wholeFiles());
    }
    table.print(output.out());
  }

  private void print(TierSpread.Answer answer, String whose) {
    TextTable table = new TextTable().left("tier").right("blocks", "replicas", "bytes");
    for (TierSpread.Row row : answer.tiers()) {
      table.row(
          row.tier() == null ? "-" : row.tier(),
          row.blocks(),
          row.replicas(),
          Words.bytes(row.bytes()));
    }
    table.print(output.out());
    printRegions(answer);
    output.fold(answer.text());
    output.fold("tiers by: " + Words.plain(whose));
  }
}
