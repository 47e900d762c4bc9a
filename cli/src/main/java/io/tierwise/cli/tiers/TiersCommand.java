package io.tierwise.cli.tiers;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands about tiers. */
@Command(
    name = "tiers",
    description = "Lists the cluster's tiers, or measures volumes.",
    mixinStandardHelpOptions = true,
    subcommands = {TiersListCommand.class, TiersProbeCommand.class})
public final class TiersCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command: list or probe");
  }
}
