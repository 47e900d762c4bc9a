package io.tierwise.cli.file;

import io.tierwise.hadoop.mover.FileTiers;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes the replicas of files away from a tier. */
@Command(
    name = "drop-from",
    description = {
      "Drops the replicas of files that their layout wants in a tier; the others stay.",
      "Changes the layout of PATH and the number of replicas of each file below it; HDFS drops by"
          + " itself. Refused when nothing would be left.",
      "Needs the plug-in in the NameNode, and the permission to change PATH."
    },
    mixinStandardHelpOptions = true)
final class FileDropFromCommand extends LayoutVerb {
  @Option(names = "--tier", required = true, paramLabel = "TIER", description = "The tier's name.")
  private String tier;

  @Override
  FileTiers.Change change(FileTiers tiers, String path) throws IOException {
    return tiers.deleteFileTier(path, tier);
  }
}
