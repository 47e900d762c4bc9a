package io.tierwise.cli.simulate;

import io.tierwise.cli.file.MoveLimitOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.WhatIf;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tierwise what-if}. */
@Command(
    name = "what-if",
    description = {
      "Says what a change of policy would move, how long that takes, and what it costs the jobs"
          + " meanwhile.",
      "Runs a scenario twice on a virtual cluster, without and with the move. Plans, turns and"
          + " limits are those of 'tierwise file move'. 'tierwise capture' makes a scenario of a"
          + " running cluster."
    },
    footer = "  tierwise what-if mine.yaml --path /warehouse --to \"1 x ssd + 2 x disk\"")
public final class WhatIfCommand implements Callable<Integer> {
  @Spec private CommandSpec command;
  @Mixin private RunOptions options;
  @Mixin private MoveLimitOptions limits;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "SCENARIO",
      description = "Scenario file (YAML), or a named cluster completed with --set.")
  private String file;

  @ArgGroup(exclusive = false)
  private Asked asked;

  /** A movement that takes the place of those of the scenario. */
  private static final class Asked {
    @Option(
        names = "--path",
        required = true,
        paramLabel = "PATH",
        description =
            "Files to move, or a directory above them (default: what the scenario's key"
                + " 'movement' says).")
    private String path;

    @Option(
        names = "--to",
        required = true,
        paramLabel = "LAYOUT",
        description = "A layout, for example \"1 x ssd + 2 x disk\", or a placement policy.")
    private String placement;

    @Option(
        names = "--at",
        paramLabel = "TIME",
        defaultValue = "0 s",
        description = "When the move begins (default: ${DEFAULT-VALUE}).")
    private String at;
  }

  private static void refuse(String option) {
    throw OperatorException.badInput(
        option
            + " goes with --path and --to: the scenario's own movement has its limits in the file,"
            + " which --set changes");
  }

  @Override
  public Integer call() throws IOException {
    ScenarioFiles scenario = options.load(file);
    if (asked != null) {
      scenario =
          scenario.with(
              WhatIf.setting(asked.path, asked.placement, asked.at, limits.settings().limits()),
              "--path",
              "--path " + asked.path + " --to " + asked.placement);
    } else {
      command.mixins().get("limits").options().stream()
          .filter(command.commandLine().getParseResult()::hasMatchedOption)
          .map(OptionSpec::longestName)
          .findFirst()
          .ifPresent(WhatIfCommand::refuse);
    }
    List<CaseSpec> cases = WhatIf.cases(scenario.scenario());
    StoppingRule rule = options.stoppingRule(1);
    options.checkWindow();
    int threads = Math.min(options.threads(), cases.size() * rule.countMax());
    List<WorkloadSize> sizes = WorkloadSize.check(cases, threads, output::say);
    options.checkOutputFolder();
    if (options.isOnlyPlanned(cases, sizes, output)) {
      return 0;
    }
    try (RunSession session = new RunSession(options, rule, output)) {
      CaseRuns runs =
          new CaseRuns(WorkloadSize.expect(cases, sizes), rule, session.meter(), session::stopped)
              .checking(session.window());
      List<RunCase> ran = runs.run(threads);
      if (ran.size() < cases.size()) {
        return session.nothing();
      }
      Report report = new Report(ran);
      WhatIf answer = WhatIf.of(ran.get(0), ran.get(1));
      if (!session.stopped()) {
        answer.refuseWithoutFiles(cases.get(1).scenario());
      }
      answer.movements().stream()
          .filter(movement -> movement.files() == 0)
          .forEach(movement -> output.say("no file is at " + movement.path() + ", or below it"));
      if (output.json()) {
        output.printJson(answer);
      } else {
        answer.movements().forEach(move -> move.lines().forEach(output::line));
        output.fold(answer.meanwhile().text());
        output.table(report.table());
      }
      session.write(report, report.json(), Map.of());
      return session.end(report, cases.size(), "cases", runs.checkedEvents(), List.of());
    }
  }
}
