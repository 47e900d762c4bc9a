package io.tierwise.cli.simulate;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.experiments.run.CheckWindow;
import io.tierwise.experiments.run.OutputFolder;
import io.tierwise.experiments.run.RunRemarks;
import io.tierwise.experiments.sweep.Grid;
import io.tierwise.experiments.sweep.SweepResult;
import io.tierwise.experiments.sweep.SweepRuns;
import io.tierwise.lab.SignalGuard;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What commands have in common that run a scenario for many values of some keys. */
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

  /** How many seeds run when nobody says how many. */
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
    CheckWindow window = options.checkWindow();
    int threads = Math.min(options.threads(), atATime * rule.countMax());
    List<Grid.Point> points = Grid.sized(all, threads, output::say);
    options.checkOutputFolder();
    if (options.dryRun()) {
      say(points);
      return 0;
    }
    RunMeter meter = RunOptions.meter(output);
    try (SignalGuard signal = RunOptions.stopSignal(output);
        OutputFolder folder = options.outputFolder()) {
      SweepRuns runs = new SweepRuns(rule, threads, meter, signal::signalled, window);
      Optional<SweepResult> result = way.go(runs, points);
      if (result.isEmpty()) {
        output.say("interrupted before anything was known");
        return ExitCode.INTERRUPTED;
      }
      print(result.get(), folder);
      if (signal.signalled()) {
        int ran = result.get().points().size();
        output.say("interrupted: " + ran + " of " + points.size() + " points are here");
      }
      RunRemarks.of(result.get().report()).forEach(output::say);
      if (window != null) {
        output.say(window.result(runs.checkedEvents()));
      }
      sayHowItWent(meter, folder);
      if (signal.signalled()) {
        return ExitCode.INTERRUPTED;
      }
      result.get().least().forEach(least -> sayLeast(minimised, least));
      return RunOptions.precise(result.get().report(), rule, output);
    }
  }

  /** What a dry run says besides the points; empty where all of them would run. */
  String plan(int points) {
    return "";
  }

  /** What would run. */
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

  private void print(SweepResult result, OutputFolder folder) throws IOException {
    Map<String, Object> json = result.json();
    // Printed first: a full disk does not take what the runs brought.
    if (output.json()) {
      output.printJson(json);
    } else {
      SweepTable.print(result, output.out());
    }
    if (folder != null) {
      folder.write(result.report(), Output.toJson(json));
      for (Map.Entry<String, String> chart : result.charts().entrySet()) {
        folder.write(chart.getKey(), chart.getValue());
      }
    }
  }

  private void sayHowItWent(RunMeter meter, OutputFolder folder) {
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

  private void sayLeast(String minimised, SweepResult.Least least) {
    output
        .err()
        .println(
            Double.isFinite(least.value())
                ? "least " + minimised + " at " + least.where()
                : "no point finished all its jobs, so that none has the least " + minimised);
    output.err().flush();
  }
}
