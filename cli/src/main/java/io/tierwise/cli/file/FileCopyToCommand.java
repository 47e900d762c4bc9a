package io.tierwise.cli.file;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.FileRegions;
import io.tierwise.hadoop.mover.FileTiers;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives files a whole copy in a tier or a region. */
@Command(
    name = "copy-to",
    description = {
      "Gives files a whole copy in a tier or a region, beside the replicas that they have.",
      "Changes the layout of PATH and the number of replicas of each file below it; HDFS copies by"
          + " itself. Done twice, nothing more comes. Surplus replicas there have to stay again,"
          + " which costs no copy.",
      "dfs.namenode.replication.max-streams bounds all of HDFS's copies: there is no --bandwidth.",
      "Needs the plug-in in the NameNode, and the permission to change PATH."
    },
    footer = "  tierwise file copy-to /warehouse --tier ssd --dry-run")
final class FileCopyToCommand extends LayoutVerb {
  @ArgGroup(multiplicity = "1")
  private TierOrRegion where;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Replicas there, those that the layout wants there already included (default:"
              + " ${DEFAULT-VALUE}).")
  private int copies;

  @Override
  public FileTiers.Change at(MoverCluster cluster, String path) throws IOException {
    OperatorException.requireAtLeast(1, "--copies", copies);
    return where.tier != null
        ? new FileTiers(cluster).createFileTier(path, where.tier, copies)
        : new FileRegions(cluster).createFileRegion(path, where.region, copies);
  }
}
