package io.tierwise.cli.policy;

import picocli.CommandLine.Command;

/** The parent of the commands about policies. */
@Command(
    name = "policy",
    description =
        "Lists policies and strategies, or tells, sets, finds and removes the ones of paths.",
    subcommands = {
      PolicyListCommand.class,
      PolicyGetCommand.class,
      PolicySetCommand.class,
      PolicyUnsetCommand.class,
      PolicyFindCommand.class,
      PolicyPurgeCommand.class
    })
public final class PolicyCommand {}
