package io.tierwise.cli.cluster;

import picocli.CommandLine.Command;

/** The parent of the commands about tiers. */
@Command(
    name = "tiers",
    description = "Lists the cluster's tiers, or measures volumes.",
    subcommands = {TiersListCommand.class, TiersProbeCommand.class})
public final class TiersCommand {}
