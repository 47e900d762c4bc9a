package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.compliance.TierSpread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Counts the stored bytes and blocks of files tier by tier. */
@Command(
    name = "where",
    description = {
      "Counts the stored bytes and blocks of files, tier by tier.",
      "A tier with all blocks has a whole copy. 'tierwise explain' shows one file in full.",
      "Exit code 3 when something below PATH may not be read."
    },
    mixinStandardHelpOptions = true)
final class FileWhereCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

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
    try (StoredFiles files = StoredFiles.find(cluster, conf, paths)) {
      NameNodePlugin.Tiers tiers = NameNodePlugin.tiersInForce(files.fs(), conf);
      TierSpread.Answer answer =
          TierSpread.of(files.fs(), tiers.configuration(), files.plainPaths());
      if (output.json()) {
        output.printJson(answer);
      } else {
        print(answer, tiers.whose());
      }
      if (answer.unreadable() > 0) {
        output.say(
            Words.count(answer.unreadable(), "path")
                + " could not be read, and nothing of it is counted: run as HDFS's superuser");
        return ExitCode.CLUSTER;
      }
      return 0;
    }
  }

  private void print(TierSpread.Answer answer, String whose) {
    TextTable table = new TextTable().left("tier").right("blocks").right("replicas").right("bytes");
    for (TierSpread.Row row : answer.tiers()) {
      table.row(
          row.tier() == null ? "-" : row.tier(),
          row.blocks(),
          row.replicas(),
          Words.bytes(row.bytes()));
    }
    table.print(output.out());
    output
        .out()
        .println(
            Fold.text(
                Words.count(answer.files(), "file")
                    + " of "
                    + Words.count(answer.blocks(), "block")
                    + (answer.blocksWithoutReplica() == 0
                        ? ""
                        : ", " + answer.blocksWithoutReplica() + " of them without a replica")));
    output.out().println(Fold.text("tiers by: " + Words.plain(whose)));
    output.out().flush();
  }
}
