package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The day of a Facebook cluster, once, in a virtual machine of its own: prints jobs, map tasks,
 * flows, processor seconds of the simulating thread, and the largest resident memory in MiB.
 */
public final class FacebookDay {
  private FacebookDay() {}

  /**
   * Runs the scenario {@code args[0]} on the trace {@code args[1]}; {@code args[2..]} are settings
   * ({@code key=value}).
   */
  public static void main(String[] args) throws IOException {
    ScenarioFiles scenario =
        ScenarioFiles.load(args[0]).with("workload.trace.file=" + args[1], "trace");
    for (int i = 2; i < args.length; i++) {
      scenario = scenario.with(args[i], "setting");
    }
    RunResult result = Simulation.of(scenario.scenario()).run(Progress.NONE);
    double seconds = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%d %d %d %.1f %.0f%n",
        result.jobs().finished(),
        result.jobs().mapTasks(),
        result.engine().flows(),
        seconds,
        peakMebibytes());
  }

  private static double peakMebibytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    return Double.NaN;
  }
}
