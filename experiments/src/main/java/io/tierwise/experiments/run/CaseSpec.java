package io.tierwise.experiments.run;

import io.tierwise.simulator.scenario.Scenario;

/**
 * One column of a report, before it has run.
 *
 * @param label what tells it from the others
 * @param work of all its jobs together, to tell how far a run is; NaN when nobody has looked
 */
public record CaseSpec(String label, Scenario scenario, double work) {
  /** A case whose workload nobody has looked at. */
  public CaseSpec(String label, Scenario scenario) {
    this(label, scenario, Double.NaN);
  }

  public CaseSpec withWork(double ofAllJobs) {
    return new CaseSpec(label, scenario, ofAllJobs);
  }

  /**
   * The scenario with its seed raised: the same for all cases, so that they meet the same chance.
   */
  Scenario withSeed(int index) {
    return scenario.withSeed(scenario.seed() + index);
  }
}
