package io.tierwise.cli.file;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.FileRegions;
import io.tierwise.hadoop.mover.FileTiers;
import io.tierwise.hadoop.mover.MoverCluster;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives files a layout and as many replicas as it names. */
@Command(
    name = "layout",
    description = {
      "Gives files a layout, or a number of replicas in a region, and as many replicas as the"
          + " layout names then.",
      "HDFS copies what is missing and drops what is too much by itself, at the rate of its keys"
          + " for all copies (dfs.namenode.replication.max-streams). What the layout wants elsewhere"
          + " is moved by 'tierwise file move PATH --to policy'.",
      "Needs the plug-in in the NameNode, and the permission to change PATH."
    },
    footer = "  tierwise file layout /warehouse --to \"2 x ssd + 1 x disk\" --wait 120")
final class FileLayoutCommand extends LayoutVerb {
  @ArgGroup(multiplicity = "1")
  private Wanted wanted;

  /** The whole layout, or a part of it. */
  private static final class Wanted {
    @Option(
        names = "--to",
        required = true,
        paramLabel = "LAYOUT",
        description = "A layout, for example \"1 x ssd + 2 x disk\".")
    private String to;

    @ArgGroup(exclusive = false)
    private InRegion inRegion;
  }

  /** So many replicas in a region; the rest of the layout stays. */
  private static final class InRegion {
    @Option(
        names = "--region",
        required = true,
        paramLabel = "REGION",
        description = "The region in which the layout is to name --replicas, the rest as it is.")
    private String region;

    @Option(
        names = "--replicas",
        required = true,
        paramLabel = "N",
        description = "Replicas in the region, from 0.")
    private int replicas;
  }

  @Override
  public FileTiers.Change at(MoverCluster cluster, String path) throws IOException {
    if (wanted.inRegion == null) {
      return new FileTiers(cluster).setRepPolicy(path, wanted.to);
    }
    int replicas = wanted.inRegion.replicas;
    OperatorException.requireAtLeast(0, "--replicas", replicas);
    return new FileRegions(cluster).setRepRegion(path, wanted.inRegion.region, replicas);
  }
}
