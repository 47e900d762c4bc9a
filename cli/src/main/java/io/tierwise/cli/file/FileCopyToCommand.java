package io.tierwise.cli.file;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.FileTiers;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives files a whole copy in a tier. */
@Command(
    name = "copy-to",
    description = {
      "Gives files a whole copy in a tier, beside the replicas that they have.",
      "Changes the layout of PATH and the number of replicas of each file below it; HDFS copies by"
          + " itself, at its own rate. Done twice, nothing more comes.",
      "Needs the plug-in in the NameNode, and the permission to change PATH."
    },
    mixinStandardHelpOptions = true)
final class FileCopyToCommand extends LayoutVerb {
  @Option(names = "--tier", required = true, paramLabel = "TIER", description = "The tier's name.")
  private String tier;

  @Option(
      names = "--copies",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Replicas in the tier, those that are wanted there already included (default:"
              + " ${DEFAULT-VALUE}).")
  private int copies;

  @Override
  FileTiers.Change change(FileTiers tiers, String path) throws IOException {
    if (copies < 1) {
      throw OperatorException.badInput("--copies " + copies + " is too little: give 1 or more");
    }
    return tiers.createFileTier(path, tier, copies);
  }
}
