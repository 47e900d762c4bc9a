package io.tierwise.simulator;

import io.tierwise.simulator.report.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import java.io.IOException;
import java.util.Objects;

/** A scenario, ready to run. Start reading here. */
public final class Simulation {
  private final Scenario scenario;

  private Simulation(Scenario scenario) {
    this.scenario = scenario;
  }

  /** The simulation of a scenario. Nothing has run yet. */
  public static Simulation of(Scenario scenario) {
    return new Simulation(Objects.requireNonNull(scenario, "scenario"));
  }

  /**
   * Runs it, from the start to the end of the last job.
   *
   * @return what it brought; not complete when {@code progress} ended it
   * @throws IOException when the workload's trace cannot be read; the message names file and line
   */
  public RunResult run(Progress progress) throws IOException {
    Objects.requireNonNull(progress, "progress");
    throw new UnsupportedOperationException("scenario " + scenario.name() + ": no model yet");
  }
}
