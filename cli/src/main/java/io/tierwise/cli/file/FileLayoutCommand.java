package io.tierwise.cli.file;

import io.tierwise.hadoop.mover.FileTiers;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives files a layout and as many replicas as it names. */
@Command(
    name = "layout",
    description = {
      "Gives files a layout, and as many replicas as it names.",
      "HDFS copies what is missing and drops what is too much by itself. What the layout wants"
          + " elsewhere is moved by 'tierwise file move PATH --to policy'.",
      "Needs the plug-in in the NameNode, and the permission to change PATH."
    },
    mixinStandardHelpOptions = true)
final class FileLayoutCommand extends LayoutVerb {
  @Option(
      names = "--to",
      required = true,
      paramLabel = "LAYOUT",
      description = "A layout, for example \"1 x ssd + 2 x disk\".")
  private String to;

  @Override
  FileTiers.Change change(FileTiers tiers, String path) throws IOException {
    return tiers.setRepPolicy(path, to);
  }
}
