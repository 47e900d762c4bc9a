package io.tierwise.cli.file;

import io.tierwise.hadoop.mover.FileRegions;
import io.tierwise.hadoop.mover.FileTiers;
import io.tierwise.hadoop.mover.FileTiers.Deletion;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes the replicas of files away from a tier or a region. */
@Command(
    name = "drop-from",
    description = {
      "Drops the replicas of files that their layout wants in a tier or a region; the others stay.",
      "Changes the layout of PATH and the number of replicas of each file below it; HDFS drops by"
          + " itself. Refused when nothing would be left.",
      "Needs the plug-in in the NameNode, and the permission to change PATH."
    },
    footer = "  tierwise file drop-from /warehouse --tier ssd --lazy")
final class FileDropFromCommand extends LayoutVerb {
  @ArgGroup(multiplicity = "1")
  private TierOrRegion where;

  @Option(
      names = "--lazy",
      description = "Mark them as surplus: 'tierwise tiers flush' drops them when room is needed.")
  private boolean lazy;

  @Override
  public FileTiers.Change at(MoverCluster cluster, String path) throws IOException {
    Deletion deletion = lazy ? Deletion.LAZY : Deletion.AT_ONCE;
    return where.tier != null
        ? new FileTiers(cluster).deleteFileTier(path, where.tier, deletion)
        : new FileRegions(cluster).deleteFileRegion(path, where.region, deletion);
  }
}
