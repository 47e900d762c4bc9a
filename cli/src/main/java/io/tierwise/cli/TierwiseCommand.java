package io.tierwise.cli;

import io.tierwise.cli.advise.AdviseCommand;
import io.tierwise.cli.autotier.AutotierCommand;
import io.tierwise.cli.bench.BenchCommand;
import io.tierwise.cli.bench.DemoCommand;
import io.tierwise.cli.capture.CaptureCommand;
import io.tierwise.cli.cluster.DoctorCommand;
import io.tierwise.cli.cluster.ExplainCommand;
import io.tierwise.cli.cluster.RiskCommand;
import io.tierwise.cli.cluster.TiersCommand;
import io.tierwise.cli.embedded.EmbeddedCommand;
import io.tierwise.cli.file.FileCommand;
import io.tierwise.cli.file.JournalCommand;
import io.tierwise.cli.file.UndoCommand;
import io.tierwise.cli.heat.HeatCommand;
import io.tierwise.cli.monitor.MonitorCommand;
import io.tierwise.cli.policy.PolicyCommand;
import io.tierwise.cli.profile.ProfileCommand;
import io.tierwise.cli.secondary.SecondaryCommand;
import io.tierwise.cli.simulate.FitCommand;
import io.tierwise.cli.simulate.HalveCommand;
import io.tierwise.cli.simulate.RankCommand;
import io.tierwise.cli.simulate.ReproduceCommand;
import io.tierwise.cli.simulate.SearchCommand;
import io.tierwise.cli.simulate.SimulateCommand;
import io.tierwise.cli.simulate.SweepCommand;
import io.tierwise.cli.simulate.WhatIfCommand;
import io.tierwise.cli.testbed.TestbedCommand;
import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The root of the command tree and the program's entry point. */
@Command(
    name = "tierwise",
    description = "Uses each disk and machine of a mixed Hadoop cluster for what it is best at.",
    versionProvider = TierwiseVersion.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:a check, a comparison or a measurement did not come out as it should",
      "2:bad input: the message names the value and what to change",
      "3:the cluster, a permission or a state stands in the way",
      "130:interrupted by Ctrl-C; the message says what is done and what is not",
      "141:nobody reads the answer any more, as behind '| head'",
      "143:ended by SIGTERM, as 'kill' and systemd send it; otherwise as 130"
    })
public final class TierwiseCommand {
  private static final List<Class<?>> COMMANDS =
      List.of(
          TiersCommand.class,
          PolicyCommand.class,
          ExplainCommand.class,
          FileCommand.class,
          SecondaryCommand.class,
          MonitorCommand.class,
          HeatCommand.class,
          AdviseCommand.class,
          RiskCommand.class,
          ProfileCommand.class,
          AutotierCommand.class,
          JournalCommand.class,
          UndoCommand.class,
          DoctorCommand.class,
          TestbedCommand.class,
          BenchCommand.class,
          DemoCommand.class,
          SimulateCommand.class,
          WhatIfCommand.class,
          SweepCommand.class,
          HalveCommand.class,
          SearchCommand.class,
          RankCommand.class,
          FitCommand.class,
          CaptureCommand.class,
          ReproduceCommand.class,
          EmbeddedCommand.class);

  /** The command tree with its error handling: one line, exit code 2 or 3. */
  public static CommandLine commandLine() {
    List<Class<?>> all = new ArrayList<>(COMMANDS);
    all.addAll(List.of(HelpCommand.class, AutoComplete.GenerateCompletion.class));
    return commandLine(all);
  }

  /** The same, or of it the one command that is named: to read the others' options takes longer. */
  static CommandLine commandLineFor(String[] arguments) {
    String name = arguments.length == 0 ? "" : arguments[0];
    return COMMANDS.stream()
        .filter(command -> command.getAnnotation(Command.class).name().equals(name))
        .findFirst()
        .map(command -> commandLine(List.of(command)))
        .orElseGet(TierwiseCommand::commandLine);
  }

  private static CommandLine commandLine(List<Class<?>> commands) {
    CommandLine line = new CommandLine(new TierwiseCommand());
    commands.forEach(line::addSubcommand);
    line.setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new UsageLines())
        .setExecutionStrategy(ErrorLines::execute)
        .setExecutionExceptionHandler(new ErrorLines())
        .setHelpFactory(HelpLayout::new);
    giveStandardOptions(line);
    for (String parent : List.of("testbed", "profile")) {
      if (line.getSubcommands().containsKey(parent)) {
        // The words behind its own are another command, with options of that.
        line.getSubcommands().get(parent).getSubcommands().get("run").setStopAtPositional(true);
      }
    }
    return line;
  }

  /** All commands know --help and --version, and say above their footer what it is. */
  private static void giveStandardOptions(CommandLine line) {
    if (line.getCommandSpec().usageMessage().footer().length > 0) {
      line.getCommandSpec().usageMessage().footerHeading("%nFor example:%n");
    }
    if (!line.getCommandSpec().mixinStandardHelpOptions()) {
      line.getCommandSpec().mixinStandardHelpOptions(true);
    }
    line.getSubcommands().values().forEach(TierwiseCommand::giveStandardOptions);
  }

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] arguments) {
    StandardOutput out = StandardOutput.install();
    CommandLine line = commandLineFor(arguments);
    System.exit(out.exitCode(line, line.execute(arguments)));
  }
}
