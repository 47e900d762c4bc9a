package io.tierwise.cli.simulate;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.output.Output;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise sweep}. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a scenario for all combinations of what some keys may be, and marks the Pareto front:",
      "points that no other one beats in time, energy, money and risk at once. Points with",
      "different workloads have fronts of their own. With --search, looks for the best value of one",
      "key instead."
    })
public final class SweepCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  @Mixin private RunOptions options;
  @Mixin private Output output;

  @Parameters(paramLabel = "SCENARIO", description = "A scenario file, or a named cluster.")
  private String file;

  @Option(
      names = "--vary",
      paramLabel = "KEY=VALUES",
      description = {
        "A key and its values: a,b,c or from..to..step, with a unit if it needs one (1..4 Gbps), or",
        "a text with braces: policies.placement=zone-ratio:{0..1..0.25}. May be given several times."
      })
  private List<String> vary = new ArrayList<>();

  @Option(
      names = "--search",
      paramLabel = "KEY=FROM..TO..STEP",
      description =
          "Look for the value of one key at which --minimise is least, by golden section.")
  private String search;

  @Option(
      names = "--minimise",
      paramLabel = "FIGURE",
      description = "For --search: one of results.csv's columns (default: ${DEFAULT-VALUE}).",
      defaultValue = "makespan_seconds")
  private String minimise;

  @Option(
      names = "--evaluations",
      paramLabel = "COUNT",
      description = "For --search: points to try at most (default: ${DEFAULT-VALUE}).",
      defaultValue = "24")
  private int evaluations;

  @Option(
      names = "--objectives",
      paramLabel = "FIGURE,...",
      split = ",",
      description = {
        "What the front is about, less being better (default: makespan_seconds, energy_joules,",
        "hardware_dollars, storage_dollars_per_gigabyte, loss_risk_a_day: those that differ)."
      })
  private List<String> objectives = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (vary.isEmpty() == (search == null)) {
      throw OperatorException.badInput("give either --vary (one or more) or --search");
    }
    StoppingRule rule = options.stoppingRule();
    List<Figure> figures = figures();
    ScenarioFiles scenario = options.load(file);
    return search == null ? grid(scenario, rule, figures) : search(scenario, rule);
  }

  private List<Figure> figures() {
    List<String> names =
        objectives.isEmpty()
            ? List.of(
                "makespan_seconds",
                "energy_joules",
                "hardware_dollars",
                "storage_dollars_per_gigabyte",
                "loss_risk_a_day")
            : objectives;
    return names.stream().map(name -> figure(name, "--objectives")).toList();
  }

  private static Figure figure(String name, String option) {
    try {
      return Figure.named(name.strip());
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(
          option
              + " "
              + name
              + " is no figure; known: "
              + Figure.all(List.of()).stream().map(Figure::name).collect(Collectors.joining(", ")));
    }
  }

  private int grid(ScenarioFiles scenario, StoppingRule rule, List<Figure> figures)
      throws IOException {
    Grid grid = new Grid(vary.stream().map(text -> Variation.parse(text, "--vary")).toList());
    requireDifferentKeys(grid.keys());
    List<Grid.Point> points = grid.points(scenario);
    int threads = Math.min(options.threads(), points.size() * rule.countMax());
    check(points, threads);
    OutputFolder folder = options.outputFolder();
    if (options.dryRun()) {
      points.forEach(point -> output.out().println(point.spec().label()));
      return 0;
    }
    RunMeter meter = RunOptions.meter(output);
    try (StopSignal signal = new StopSignal()) {
      List<CaseSpec> cases = points.stream().map(Grid.Point::spec).toList();
      List<RunCase> ran = new CaseRuns(cases, rule, meter, signal::stopped).run(threads);
      if (ran.isEmpty()) {
        output.err().println("tierwise: interrupted before anything was known");
        return INTERRUPTED;
      }
      Report report = new Report(ran);
      SweepTable table =
          new SweepTable(
              grid.keys(), thatRan(points, ran), report, SweepTable.telling(figures, report));
      print(table, folder);
      sayHowItWent(ran.size(), points.size(), meter, folder);
      return signal.stopped() ? INTERRUPTED : 0;
    }
  }

  private static void requireDifferentKeys(List<String> keys) {
    Set<String> seen = new HashSet<>();
    for (String key : keys) {
      if (!seen.add(key)) {
        throw OperatorException.badInput("--vary " + key + ": is varied twice");
      }
    }
  }

  private static void check(List<Grid.Point> points, int threads) {
    Map<Object, WorkloadSize> known = new HashMap<>();
    for (Grid.Point point : points) {
      CaseSpec spec = point.spec();
      WorkloadSize size =
          known.computeIfAbsent(
              spec.scenario().workload(), workload -> WorkloadSize.of(spec.scenario()));
      MemoryNeed.require(spec.label(), MemoryNeed.ofRun(spec.scenario(), size), threads);
    }
  }

  /** Labels are unique: they hold the values of all keys. */
  private static List<Grid.Point> thatRan(List<Grid.Point> points, List<RunCase> ran) {
    Set<String> labels = ran.stream().map(RunCase::label).collect(Collectors.toSet());
    return points.stream().filter(point -> labels.contains(point.spec().label())).toList();
  }

  private void print(SweepTable table, OutputFolder folder) throws IOException {
    Map<String, Object> json = table.json();
    if (folder != null) {
      folder.write(table.report(), json);
      for (Map.Entry<String, String> chart : table.charts().entrySet()) {
        folder.write(chart.getKey(), chart.getValue());
      }
    }
    if (output.json()) {
      output.printJson(json);
    } else {
      table.print(output.out());
    }
  }

  private void sayHowItWent(int ran, int wanted, RunMeter meter, OutputFolder folder) {
    if (ran < wanted) {
      output.err().println("tierwise: interrupted: " + ran + " of " + wanted + " points are here");
    }
    output
        .err()
        .println(
            String.format(
                Locale.ROOT,
                "%d runs in %.1f s%s",
                meter.ended(),
                meter.elapsedSeconds(),
                folder == null ? "" : ", written to " + folder.path()));
    output.err().flush();
  }

  private int search(ScenarioFiles scenario, StoppingRule rule) throws IOException {
    Figure figure = figure(minimise, "--minimise");
    Variation range = Variation.parse(search, "--search");
    if (range.values().size() < 4 || evaluations < 4) {
      throw OperatorException.badInput(
          "--search "
              + search
              + ": needs a range of four points or more, and --evaluations 4 or more");
    }
    List<Grid.Point> all = new Grid(List.of(range)).points(scenario);
    check(all, options.threads());
    OutputFolder folder = options.outputFolder();
    if (options.dryRun()) {
      all.forEach(point -> output.out().println(point.spec().label()));
      return 0;
    }
    RunMeter meter = RunOptions.meter(output);
    try (StopSignal signal = new StopSignal()) {
      Map<Integer, RunCase> asked = new LinkedHashMap<>();
      GoldenSearch golden =
          new GoldenSearch(
              BigDecimal.ZERO,
              BigDecimal.valueOf(all.size() - 1),
              BigDecimal.ONE,
              index -> {
                List<RunCase> ran =
                    new CaseRuns(
                            List.of(all.get(index.intValue()).spec()), rule, meter, signal::stopped)
                        .run(options.threads());
                if (!ran.isEmpty()) {
                  asked.put(index.intValue(), ran.get(0));
                }
                return ran.isEmpty() ? Double.NaN : ran.get(0).estimate(figure).mean();
              });
      int best = golden.search(evaluations).intValue();
      if (asked.isEmpty()) {
        output.err().println("tierwise: interrupted before anything was known");
        return INTERRUPTED;
      }
      List<Integer> order = asked.keySet().stream().sorted().toList();
      print(
          new SweepTable(
              List.of(range.key()),
              order.stream().map(all::get).toList(),
              new Report(order.stream().map(asked::get).toList()),
              List.of(figure)),
          folder);
      sayHowItWent(order.size(), order.size(), meter, folder);
      if (!signal.stopped()) {
        output
            .err()
            .println("least " + minimise + " at " + range.key() + "=" + range.values().get(best));
      }
      return signal.stopped() ? INTERRUPTED : 0;
    }
  }
}
