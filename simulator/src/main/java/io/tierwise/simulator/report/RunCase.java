package io.tierwise.simulator.report;

import io.tierwise.simulator.scenario.Scenario;
import java.util.List;

/**
 * One column of a report: a scenario and its runs with different seeds.
 *
 * @param label what tells it from the other cases
 * @param runs in the order of their seeds; at least one
 */
public record RunCase(String label, Scenario scenario, List<RunResult> runs) {
  public RunCase {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("case " + label + " has no run");
    }
  }

  /** Whether all of its runs went to their end. */
  public boolean complete() {
    return runs.stream().allMatch(RunResult::complete);
  }

  /** What its runs say of a figure. */
  public Estimate estimate(Figure figure) {
    return Estimate.of(
        runs.stream().mapToDouble(run -> figure.measure().of(run, scenario)).toArray());
  }

  public List<String> tierNames() {
    return runs.get(0).tierNames();
  }
}
