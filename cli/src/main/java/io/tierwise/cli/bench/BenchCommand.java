package io.tierwise.cli.bench;

import io.tierwise.cli.HelpCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tierwise bench}: the benchmarks of a running cluster. */
@Command(
    name = "bench",
    description = "Measures a running cluster.",
    mixinStandardHelpOptions = true,
    subcommands = {DfsioCommand.class, HelpCommand.class})
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a benchmark: dfsio");
  }
}
