package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Output;
import io.tierwise.experiments.sweep.Grid;
import io.tierwise.experiments.sweep.SweepResult;
import io.tierwise.experiments.sweep.SweepRuns;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Base of the commands that run a scenario for many values of some keys. */
abstract class SweepAction implements Callable<Integer> {
  @Mixin private RunOptions options;
  @Mixin private Output output;

  @Parameters(paramLabel = "SCENARIO", description = "A scenario file, or a named cluster.")
  private String file;

  /** One way to go through the points. */
  @FunctionalInterface
  interface Way {
    /** Nothing when it was stopped before a run ended. */
    Optional<SweepResult> go(SweepRuns runs, List<Grid.Point> points);
  }

  ScenarioFiles scenario() {
    return options.load(file);
  }

  StoppingRule rule() {
    return options.stoppingRule(seedsByDefault());
  }

  /** Seeds that run when nobody says how many. */
  int seedsByDefault() {
    return 1;
  }

  /**
   * Goes through the points, prints what came of it, and writes it where the user wants it.
   *
   * @param atATime most points that may run at once
   * @param minimised the figure that is to be small; null when there is none
   */
  int run(List<Grid.Point> all, int atATime, String minimised, Way way) throws IOException {
    StoppingRule rule = rule();
    options.checkWindow();
    int threads = Math.min(options.threads(), atATime * rule.countMax());
    List<Grid.Point> points = Grid.sized(all, threads, output::say);
    options.checkOutputFolder();
    if (options.dryRun()) {
      say(points);
      return 0;
    }
    try (RunSession session = new RunSession(options, rule, output)) {
      SweepRuns runs =
          new SweepRuns(rule, threads, session.meter(), session::stopped, session.window());
      SweepResult result = way.go(runs, points).orElse(null);
      if (result == null) {
        return session.nothing();
      }
      Map<String, Object> json = result.json();
      // Printed first: a full disk does not take what the runs brought.
      output.answer(json, result.table());
      session.write(result.report(), json, result.charts());
      List<String> least = result.least().stream().map(each -> each.text(minimised)).toList();
      return session.end(result.report(), points.size(), "points", runs.checkedEvents(), least);
    }
  }

  /** A dry run says this besides the points; empty where all of them would run. */
  String plan(int points) {
    return "";
  }

  /** Says which points would run. */
  private void say(List<Grid.Point> points) {
    List<String> labels = points.stream().map(point -> point.spec().label()).toList();
    if (output.json()) {
      output.printJson(Map.of("points", labels));
    } else {
      labels.forEach(output.out()::println);
      String plan = plan(labels.size());
      if (!plan.isEmpty()) {
        output.say(plan);
      }
    }
  }
}
