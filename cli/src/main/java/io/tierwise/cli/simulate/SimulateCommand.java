package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.DecisionFile;
import io.tierwise.experiments.run.Nameable;
import io.tierwise.experiments.run.PolicyPair;
import io.tierwise.experiments.run.RunRemarks;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise simulate}. */
@Command(
    name = "simulate",
    description = {
      "Runs scenarios on a virtual cluster, with the policies that a real one would run.",
      "Several scenarios, or several policies, stand side by side in one table; the first is what"
          + " the others are compared with.",
      "docs/reference/scenario.md says what a scenario may hold.",
      "Exit code 3 when all jobs failed."
    },
    footer = "  tierwise simulate mine.yaml --policies stock,hybrid --seeds 5")
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
        "Say the share of the bound for up to 800 replicas; without this option it is said for up"
            + " to 250. The bound is the best fractional assignment of readers to replicas, for the"
            + " first run of each case; it is known where one job's tasks begin together and read"
            + " from devices. May take half a minute."
      })
  private boolean bound;

  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description = {
        "Write what the policies decide in the first case's first run there, a JSON object a line:"
            + " when, by which rule, what, and at which cost."
      })
  private Path decisions;

  @Option(names = "--schema", description = "Print a JSON Schema of scenario files, and stop.")
  private boolean schema;

  @Option(
      names = "--list",
      description = "Print the named clusters and the hardware with published figures, and stop.")
  private boolean list;

  @Override
  public Integer call() throws IOException {
    if (schema) {
      output.line(ScenarioReference.jsonSchema().toPrettyString());
      return 0;
    }
    if (list) {
      Nameable named = Nameable.all();
      output.answer(named.columns(), () -> print(named));
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
    options.checkWindow();
    List<WorkloadSize> sizes = WorkloadSize.check(cases, threads, output::say);
    options.checkOutputFolder();
    if (options.isOnlyPlanned(cases, sizes, output)) {
      return 0;
    }
    try (RunSession session = new RunSession(options, rule, output);
        DecisionFile file = DecisionFile.of(decisions)) {
      CaseRuns runs =
          new CaseRuns(WorkloadSize.expect(cases, sizes), rule, session.meter(), session::stopped)
              .checking(session.window())
              .recording(file);
      List<RunCase> ran = runs.run(threads);
      if (ran.isEmpty()) {
        return session.nothing();
      }
      Report plain = new Report(ran);
      Report report = bound ? plain.withBounds(ReadBound.REPLICAS_MAX) : plain.withQuickBounds();
      Map<String, Object> json = report.json();
      // Printed first: a full disk does not take what the runs brought.
      output.answer(json, report.table());
      RunRemarks.differentJobs(report).forEach(output::say);
      session.write(report, json, Map.of());
      return session.end(report, cases.size(), "cases", runs.checkedEvents(), List.of());
    }
  }

  private void print(Nameable named) {
    output.line("Named clusters (based-on: NAME)");
    named.clusters().forEach(name -> output.line("  " + name));
    output.line("\nDevices (published: NAME in a device class)");
    output.table(named.devices());
    output.line("\nServers (published: NAME in a kind of node), SPECpower_ssj2008");
    output.table(named.servers());
  }
}
