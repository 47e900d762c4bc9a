package io.tierwise.cli.simulate;

import io.tierwise.simulator.scenario.Scenario;

/**
 * One column of a report, before it has run.
 *
 * @param label what tells it from the others
 */
public record CaseSpec(String label, Scenario scenario) {
  /**
   * The scenario with its seed raised: the same for all cases, so that they meet the same chance.
   */
  Scenario withSeed(int index) {
    return new Scenario(
        scenario.name(),
        scenario.seed() + index,
        scenario.cluster(),
        scenario.tiers(),
        scenario.policies(),
        scenario.model(),
        scenario.workload(),
        scenario.faults());
  }
}
