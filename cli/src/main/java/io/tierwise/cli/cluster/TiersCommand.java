package io.tierwise.cli.cluster;

import picocli.CommandLine.Command;

/** The parent of the commands about tiers. */
@Command(
    name = "tiers",
    description =
        "Lists the cluster's tiers, measures volumes and links, or frees a tier that is nearly"
            + " full.",
    subcommands = {
      TiersListCommand.class,
      TiersProbeCommand.class,
      TiersProbeLinksCommand.class,
      TiersFlushCommand.class
    })
public final class TiersCommand {}
