package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CasePlan;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.CheckWindow;
import io.tierwise.experiments.run.OutputFolder;
import io.tierwise.experiments.run.SeedCount;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.lab.SignalGuard;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of both simulate and sweep: settings, seeds, threads, output. */
public final class RunOptions {
  private static final int THREADS_MAX = 256;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Set a key of the scenario, for example cluster.racks[0].count=2.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "COUNT",
      description =
          "Runs with different seeds; figures get 95%% intervals (default: 1; of halve 8; with"
              + " --precision at most 30).")
  private Integer seeds;

  @Option(
      names = "--precision",
      paramLabel = "SHARE",
      description = {
        "Run seeds, three or more, until the makespan's interval is within this share of its mean,"
            + " for example 5%% or 0.05; at most --seeds of them; exit code 1 when that is not"
            + " enough."
      })
  private String precision;

  @Option(
      names = "--threads",
      paramLabel = "COUNT",
      description = "Runs at a time; results do not depend on it (default: 1).",
      defaultValue = "1")
  private int threads;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write results.json, results.csv, charts and the scenarios there.")
  private Path out;

  @Option(
      names = "--check",
      paramLabel = "FROM..TO",
      description = {
        "Check after each event of this part of the simulated time, for example 30 s..2 min, that"
            + " no byte, task or replica is lost and every rate is fair; slow."
      })
  private String check;

  @Option(names = "--dry-run", description = "Check all and say what would run, and stop.")
  private boolean dryRun;

  boolean dryRun() {
    return dryRun;
  }

  /** Whether a dry run was asked for, which then says what would run. */
  boolean isOnlyPlanned(List<CaseSpec> cases, List<WorkloadSize> sizes, Output output) {
    if (dryRun) {
      List<CasePlan> plans = CasePlan.of(cases, sizes);
      output.answer(Map.of("plans", plans), CasePlan.table(plans));
    }
    return dryRun;
  }

  int threads() {
    return threads(threads);
  }

  /** A number of threads that a user gave, when it is one. */
  public static int threads(int threads) {
    if (threads < 1 || threads > THREADS_MAX) {
      throw OperatorException.badInput("--threads " + threads + ": give 1 to " + THREADS_MAX);
    }
    return threads;
  }

  /** When to check invariants; null when never. */
  CheckWindow checkWindow() {
    return check == null ? null : CheckWindow.parse(check, "--check");
  }

  /** Refuses an output folder that cannot be one; makes nothing. */
  void checkOutputFolder() {
    if (out != null) {
      OutputFolder.check(out);
    }
  }

  /** The output folder, writable and no other run's; null when there is none. */
  OutputFolder outputFolder() {
    return out == null ? null : OutputFolder.prepare(out);
  }

  /** The file with the settings laid over it. */
  ScenarioFiles load(String file) {
    ScenarioFiles scenario = ScenarioFiles.load(file);
    for (String setting : settings) {
      scenario = scenario.with(setting, "--set");
    }
    return scenario;
  }

  StoppingRule stoppingRule(int seedsByDefault) {
    return SeedCount.rule(seeds, precision, seedsByDefault);
  }

  /** Ctrl-C and SIGTERM ask the runs to end; results until then are still written. */
  public static SignalGuard stopSignal(Output output) {
    return SignalGuard.asking(
        () -> output.say("the runs did not end in time: nothing was written"));
  }

  /** A meter on the terminal, if there is one. */
  public static RunMeter meter(Output output) {
    return new RunMeter(output.err(), ProgressBar.onTerminal());
  }
}
