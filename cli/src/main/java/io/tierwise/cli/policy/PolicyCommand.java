package io.tierwise.cli.policy;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands about policies. */
@Command(
    name = "policy",
    description =
        "Lists policies and strategies, or tells, sets, finds and removes the ones of paths.",
    mixinStandardHelpOptions = true,
    subcommands = {
      PolicyListCommand.class,
      PolicyGetCommand.class,
      PolicySetCommand.class,
      PolicyUnsetCommand.class,
      PolicyFindCommand.class,
      PolicyPurgeCommand.class
    })
public final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command: list, get, set, unset, find or purge");
  }
}
