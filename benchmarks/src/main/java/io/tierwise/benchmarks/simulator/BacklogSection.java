package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.Progress;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/**
 * Whole runs of a backlog of jobs under each scheduler, by turns: one that looks through what waits
 * shows itself, because nearly all jobs wait all the time.
 */
final class BacklogSection implements Section {
  private static final String SCENARIO = "benchmarks/simulator/backlog.yaml";
  private static final List<String> SCHEDULERS = List.of("fifo", "fair", "capacity");
  private static final int WARM_UPS = 20;
  private static final int ROUNDS = 11;

  @Override
  public void measure(Figures figures) {
    ScenarioFiles files = ScenarioFiles.load(SCENARIO);
    double[][] seconds = new double[SCHEDULERS.size()][ROUNDS];
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      for (int i = 0; i < SCHEDULERS.size(); i++) {
        Scenario scenario =
            files.with("policies.scheduler=" + SCHEDULERS.get(i), "setting").scenario();
        double run = Rounds.of(0, 1, () -> run(scenario)).median();
        if (round >= 0) {
          seconds[i][round] = run;
        }
      }
    }
    double fifo = Rounds.of(seconds[0]).median();
    System.out.printf("%-26s %14s %10s%n", "3,200 backlogged jobs", "seconds", "to fifo");
    for (int i = 0; i < SCHEDULERS.size(); i++) {
      double median = Rounds.of(seconds[i]).median();
      System.out.printf(
          Locale.ROOT, "%-26s %14.2f %10.2f%n", SCHEDULERS.get(i), median, median / fifo);
      if (i > 0) {
        figures.add("backlog_3200_" + SCHEDULERS.get(i) + "_to_fifo", median / fifo);
      }
    }
    System.out.println();
  }

  private static void run(Scenario scenario) {
    try {
      Simulation.of(scenario).run(Progress.NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
