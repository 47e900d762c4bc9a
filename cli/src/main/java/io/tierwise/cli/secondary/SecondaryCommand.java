package io.tierwise.cli.secondary;

import picocli.CommandLine.Command;

/** The parent of the commands about the secondary store. */
@Command(
    name = "secondary",
    description =
        "Moves files that nobody reads to a secondary store, another HDFS or any Hadoop file"
            + " system, and back.",
    subcommands = {
      SecondaryCleanCommand.class,
      SecondaryOffloadCommand.class,
      SecondaryRecallCommand.class,
      SecondaryStatusCommand.class,
      SecondaryVerifyCommand.class
    })
public final class SecondaryCommand {}
