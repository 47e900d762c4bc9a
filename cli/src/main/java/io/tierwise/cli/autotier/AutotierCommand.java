package io.tierwise.cli.autotier;

import picocli.CommandLine.Command;

/** The parent of the commands about the daemon. */
@Command(
    name = "autotier",
    description = "Lets numbers of replicas follow the popularity of files.",
    subcommands = {
      AutotierPlanCommand.class,
      AutotierRunCommand.class,
      AutotierStatusCommand.class,
      AutotierPauseCommand.class,
      AutotierResumeCommand.class
    })
public final class AutotierCommand {}
