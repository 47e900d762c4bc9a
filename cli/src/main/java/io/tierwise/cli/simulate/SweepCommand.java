package io.tierwise.cli.simulate;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.CheckWindow;
import io.tierwise.experiments.run.OutputFolder;
import io.tierwise.experiments.run.RunRemarks;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.experiments.sweep.GoldenSearch;
import io.tierwise.experiments.sweep.Grid;
import io.tierwise.experiments.sweep.Halving;
import io.tierwise.experiments.sweep.Variation;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.RunResult;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
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
      "Runs a scenario for all combinations of what some keys may be, and marks the best.",
      "The best are the Pareto front: points that no other one beats in time, energy, money and"
          + " risk at once. Points with different workloads have fronts of their own.",
      "With --halving, looks for the best point of each workload with few runs; with --search, for"
          + " the best value of one key."
    })
public final class SweepCommand implements Callable<Integer> {
  @Mixin private RunOptions options;
  @Mixin private Output output;

  @Parameters(paramLabel = "SCENARIO", description = "A scenario file, or a named cluster.")
  private String file;

  @Option(
      names = "--vary",
      paramLabel = "KEY=VALUES",
      description = {
        "A key and its values: a,b,c or from..to..step, with a unit if it needs one (1..4 Gbps), or"
            + " a text with braces: policies.placement=zone-ratio:{0..1..0.25}. May be given several"
            + " times."
      })
  private List<String> vary = new ArrayList<>();

  @Option(
      names = "--halving",
      description = {
        "Find the point at which --minimise is least by successive halving: two seeds of each, the"
            + " best share of them goes on to more seeds, the last ones run as --seeds and"
            + " --precision say."
      })
  private boolean halving;

  @Option(
      names = "--keep",
      paramLabel = "SHARE",
      description = "For --halving: how many go on (default: ${DEFAULT-VALUE}).",
      defaultValue = "50%")
  private String keep;

  @Option(
      names = "--search",
      paramLabel = "KEY=FROM..TO..STEP",
      description =
          "Look for the value of one key at which --minimise is least, by golden section.")
  private String search;

  @Option(
      names = "--minimise",
      paramLabel = "FIGURE",
      description =
          "For --search and --halving: one of results.csv's columns (default: ${DEFAULT-VALUE}).",
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
      paramLabel = "FIGURE",
      split = ",",
      description = {
        "What the front is about, less being better (default: makespan_seconds, energy_joules,"
            + " hardware_dollars, storage_dollars_per_gigabyte, loss_risk_a_day: those that differ)."
      })
  private List<String> objectives = new ArrayList<>();

  private CheckWindow window;
  private long checkedEvents;

  @Override
  public Integer call() throws IOException {
    if (vary.isEmpty() == (search == null)) {
      throw OperatorException.badInput("give either --vary (one or more) or --search");
    }
    if (halving && search != null) {
      throw OperatorException.badInput("--halving is for --vary: leave out --search");
    }
    StoppingRule rule = options.stoppingRule();
    if (halving && rule.countMax() <= Halving.SEEDS_FIRST) {
      throw OperatorException.badInput(
          "--halving needs --seeds "
              + (Halving.SEEDS_FIRST + 1)
              + " or more, or --precision: with fewer there is nothing to save");
    }
    window = options.checkWindow();
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
    double share = RunOptions.share(keep, "--keep");
    Figure least = figure(minimise, "--minimise");
    List<Grid.Point> all = grid.points(scenario);
    int threads = Math.min(options.threads(), all.size() * rule.countMax());
    List<Grid.Point> points = sized(all, threads);
    options.checkOutputFolder();
    if (options.dryRun()) {
      say(points);
      return 0;
    }
    RunMeter meter = RunOptions.meter(output);
    try (StopSignal signal = new StopSignal(output);
        OutputFolder folder = options.outputFolder()) {
      Halving.Runs runs =
          (cases, step, earlier) -> run(cases, step, earlier, threads, meter, signal);
      if (halving) {
        Halving search = new Halving(points, rule, share, least);
        Halving.Outcome outcome = search.search(runs);
        return halved(grid.keys(), points, search, outcome, rule, meter, signal, folder);
      }
      List<RunCase> ran = runs.run(points.stream().map(Grid.Point::spec).toList(), rule, List.of());
      if (ran.isEmpty()) {
        return nothingKnown();
      }
      Report report = new Report(ran);
      List<Grid.Point> known = thatRan(points, ran);
      SweepTable table =
          new SweepTable(grid.keys(), known, report, SweepTable.telling(figures, known, report));
      print(table, folder);
      sayHowItWent(report, points.size(), meter, folder);
      return exitCode(report, rule, signal);
    }
  }

  private List<RunCase> run(
      List<CaseSpec> cases,
      StoppingRule rule,
      List<List<RunResult>> earlier,
      int threads,
      RunMeter meter,
      StopSignal signal) {
    CaseRuns runs =
        new CaseRuns(cases, rule, meter, signal::stopped).checking(window).goingOnFrom(earlier);
    List<RunCase> ran = runs.run(threads);
    checkedEvents += runs.checkedEvents();
    return ran;
  }

  private int nothingKnown() {
    output.say("interrupted before anything was known");
    return ExitCode.INTERRUPTED;
  }

  private int halved(
      List<String> keys,
      List<Grid.Point> points,
      Halving search,
      Halving.Outcome outcome,
      StoppingRule rule,
      RunMeter meter,
      StopSignal signal,
      OutputFolder folder)
      throws IOException {
    if (outcome.ran().isEmpty()) {
      return nothingKnown();
    }
    List<Integer> order = outcome.ran().keySet().stream().sorted().toList();
    SweepTable table =
        new SweepTable(
            keys,
            order.stream().map(points::get).toList(),
            new Report(order.stream().map(outcome.ran()::get).toList()),
            List.of(figure(minimise, "--minimise")),
            order.stream().filter(outcome.finalists()::contains).map(order::indexOf).toList());
    print(table, folder);
    sayHowItWent(table.report(), points.size(), meter, folder);
    if (signal.stopped()) {
      return ExitCode.INTERRUPTED;
    }
    for (String group : points.stream().map(Grid.Point::group).distinct().toList()) {
      outcome.finalists().stream()
          .filter(i -> points.get(i).group().equals(group))
          .min(Comparator.comparingDouble(search::value))
          .ifPresent(i -> sayLeast(points.get(i).spec().label(), search.value(i)));
    }
    output.err().flush();
    return exitCode(table.report(), rule, signal);
  }

  private void sayLeast(String where, double value) {
    output
        .err()
        .println(
            Double.isFinite(value)
                ? "least " + minimise + " at " + where
                : "no point finished all its jobs, so that none has the least " + minimise);
  }

  /** What would run. */
  private void say(List<Grid.Point> points) {
    List<String> labels = points.stream().map(point -> point.spec().label()).toList();
    if (output.json()) {
      output.printJson(Map.of("points", labels));
    } else {
      labels.forEach(output.out()::println);
    }
  }

  /** The points with what there is to do, after all that can be said before a run was said. */
  private List<Grid.Point> sized(List<Grid.Point> points, int threads) {
    List<WorkloadSize> sizes =
        WorkloadSize.check(points.stream().map(Grid.Point::spec).toList(), threads, output::say);
    List<Grid.Point> sized = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      Grid.Point point = points.get(i);
      sized.add(
          new Grid.Point(
              point.values(), point.group(), point.spec().withWork(sizes.get(i).work())));
    }
    return sized;
  }

  /** Labels are unique: they hold the values of all keys. */
  private static List<Grid.Point> thatRan(List<Grid.Point> points, List<RunCase> ran) {
    Set<String> labels = ran.stream().map(RunCase::label).collect(Collectors.toSet());
    return points.stream().filter(point -> labels.contains(point.spec().label())).toList();
  }

  private void print(SweepTable table, OutputFolder folder) throws IOException {
    Map<String, Object> json = table.json();
    // Printed first: a full disk does not take what the runs brought.
    if (output.json()) {
      output.printJson(json);
    } else {
      table.print(output.out());
    }
    if (folder != null) {
      folder.write(table.report(), Output.toJson(json));
      for (Map.Entry<String, String> chart : table.charts().entrySet()) {
        folder.write(chart.getKey(), chart.getValue());
      }
    }
  }

  private void sayHowItWent(Report report, int wanted, RunMeter meter, OutputFolder folder) {
    int ran = report.cases().size();
    if (ran < wanted) {
      output.say("interrupted: " + ran + " of " + wanted + " points are here");
    }
    RunRemarks.of(report).forEach(output::say);
    if (window != null) {
      output.say(window.result(checkedEvents));
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
    // One point at a time: no more runs at once than it has seeds.
    int threads = Math.min(options.threads(), rule.countMax());
    List<Grid.Point> all = sized(new Grid(List.of(range)).points(scenario), threads);
    options.checkOutputFolder();
    if (options.dryRun()) {
      say(all);
      return 0;
    }
    RunMeter meter = RunOptions.meter(output);
    try (StopSignal signal = new StopSignal(output);
        OutputFolder folder = options.outputFolder()) {
      Map<Integer, RunCase> asked = new LinkedHashMap<>();
      GoldenSearch golden =
          new GoldenSearch(
              BigDecimal.ZERO,
              BigDecimal.valueOf(all.size() - 1),
              BigDecimal.ONE,
              index -> {
                List<CaseSpec> one = List.of(all.get(index.intValue()).spec());
                List<RunCase> ran = run(one, rule, List.of(), threads, meter, signal);
                if (!ran.isEmpty()) {
                  asked.put(index.intValue(), ran.get(0));
                }
                return ran.isEmpty() ? Double.NaN : ran.get(0).cost(figure);
              });
      int best = golden.search(evaluations).intValue();
      if (asked.isEmpty()) {
        return nothingKnown();
      }
      List<Integer> order = asked.keySet().stream().sorted().toList();
      Report report = new Report(order.stream().map(asked::get).toList());
      print(
          new SweepTable(
              List.of(range.key()), order.stream().map(all::get).toList(), report, List.of(figure)),
          folder);
      sayHowItWent(report, order.size(), meter, folder);
      if (signal.stopped()) {
        output.say("interrupted: the search did not go to its end");
      } else {
        sayLeast(range.key() + "=" + range.values().get(best), asked.get(best).cost(figure));
      }
      return exitCode(report, rule, signal);
    }
  }

  private int exitCode(Report report, StoppingRule rule, StopSignal signal) {
    if (signal.stopped()) {
      return ExitCode.INTERRUPTED;
    }
    return RunOptions.precise(report, rule, output);
  }
}
