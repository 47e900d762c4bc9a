package io.tierwise.cli.simulate;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CasePlan;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.CheckWindow;
import io.tierwise.experiments.run.Nameable;
import io.tierwise.experiments.run.OutputFolder;
import io.tierwise.experiments.run.PolicyPair;
import io.tierwise.experiments.run.RunRemarks;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.lab.SignalGuard;
import io.tierwise.simulator.report.Format;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise simulate}. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs scenarios on a virtual cluster, with the policies that a real one would run.",
      "Several scenarios, or several policies, stand side by side in one table; the first is what"
          + " the others are compared with.",
      "docs/reference/scenario.md says what a scenario may hold."
    })
public final class SimulateCommand implements Callable<Integer> {
  @Mixin private RunOptions options;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "SCENARIO",
      arity = "0..*",
      description = "Scenario files (YAML), or named clusters completed with --set.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--policies",
      paramLabel = "A,B,...",
      description = {
        "Compare placement policies, each with the access strategy of the same name if there is"
            + " one, else the scenario's own. 'stock' is HDFS's own."
      })
  private List<String> policies = new ArrayList<>();

  @Option(
      names = "--compare",
      paramLabel = "PLACEMENT/ACCESS",
      description = "Compare such pairs; may be given several times.")
  private List<String> compare = new ArrayList<>();

  @Option(
      names = "--bound",
      description = {
        "Also say what share the reads of each case's first run had of the best fractional"
            + " assignment of readers to replicas; where one job's tasks begin together and read"
            + " from devices. Takes seconds for hundreds of replicas."
      })
  private boolean bound;

  @Option(names = "--schema", description = "Print a JSON Schema of scenario files, and stop.")
  private boolean schema;

  @Option(
      names = "--list",
      description = "Print the named clusters and the hardware with published figures, and stop.")
  private boolean list;

  @Override
  public Integer call() throws IOException {
    if (schema) {
      output.out().println(ScenarioReference.jsonSchema().toPrettyString());
      return 0;
    }
    if (list) {
      Nameable named = Nameable.all();
      if (output.json()) {
        output.printJson(named.columns());
      } else {
        Named.print(named, output.out());
      }
      return 0;
    }
    if (files.isEmpty()) {
      throw OperatorException.badInput(
          "name a scenario file; examples/scenarios has some, --list prints the named clusters");
    }
    List<CaseSpec> cases =
        PolicyPair.cases(files.stream().map(options::load).toList(), policies, compare);
    StoppingRule rule = options.stoppingRule(1);
    int threads = Math.min(options.threads(), cases.size() * rule.countMax());
    CheckWindow window = options.checkWindow();
    List<WorkloadSize> sizes = WorkloadSize.check(cases, threads, output::say);
    options.checkOutputFolder();
    if (options.dryRun()) {
      say(cases, sizes);
      return 0;
    }
    List<CaseSpec> sized = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      sized.add(cases.get(i).withWork(sizes.get(i).work()));
    }
    try (SignalGuard signal = RunOptions.stopSignal(output);
        OutputFolder folder = options.outputFolder()) {
      return run(sized, rule, window, threads, folder, signal);
    }
  }

  private Integer run(
      List<CaseSpec> cases,
      StoppingRule rule,
      CheckWindow window,
      int threads,
      OutputFolder folder,
      SignalGuard signal)
      throws IOException {
    RunMeter meter = RunOptions.meter(output);
    CaseRuns runs = new CaseRuns(cases, rule, meter, signal::signalled).checking(window);
    List<RunCase> ran = runs.run(threads);
    if (ran.isEmpty()) {
      output.say("interrupted before anything was known");
      return ExitCode.INTERRUPTED;
    }
    Report report = bound ? new Report(ran).withBounds() : new Report(ran);
    // Printed first: a full disk does not take what the runs brought.
    if (output.json()) {
      output.printJson(report.json());
    } else {
      ReportTable.print(report, output.out());
    }
    if (folder != null) {
      folder.write(report, Output.toJson(report.json()));
    }
    if (window != null) {
      output.say(window.result(runs.checkedEvents()));
    }
    sayHowItWent(report, cases.size(), meter, folder, signal.signalled());
    if (signal.signalled()) {
      return ExitCode.INTERRUPTED;
    }
    return RunOptions.precise(report, rule, output);
  }

  private void sayHowItWent(
      Report report, int wanted, RunMeter meter, OutputFolder folder, boolean stopped) {
    if (stopped) {
      output.say(
          "interrupted: "
              + report.cases().size()
              + " of "
              + wanted
              + " cases are here, some with fewer seeds than asked for or, where marked, as far as"
              + " they came");
    }
    RunRemarks.of(report).forEach(output::say);
    output
        .err()
        .println(
            String.format(
                Locale.ROOT,
                "%d %s in %.1f s%s",
                meter.ended(),
                meter.ended() == 1 ? "run" : "runs",
                meter.elapsedSeconds(),
                folder == null ? "" : ", written to " + folder.path()));
    output.err().flush();
  }

  private void say(List<CaseSpec> cases, List<WorkloadSize> sizes) {
    List<CasePlan> plans = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      plans.add(CasePlan.of(cases.get(i), sizes.get(i)));
    }
    if (output.json()) {
      output.printJson(Map.of("plans", plans));
      return;
    }
    TextTable table =
        new TextTable()
            .left("case")
            .right("nodes")
            .right("volumes")
            .right("capacity")
            .left("tiers")
            .right("jobs")
            .right("input")
            .right("memory");
    for (CasePlan plan : plans) {
      table.row(
          plan.label(),
          plan.nodes(),
          plan.volumes(),
          Format.BYTES.text(plan.capacityBytes()),
          String.join(" > ", plan.tiers()),
          plan.jobs(),
          Format.BYTES.text(plan.inputBytes()),
          Format.BYTES.text(plan.memoryBytes()));
    }
    table.print(output.out());
  }
}
