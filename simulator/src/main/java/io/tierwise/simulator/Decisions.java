package io.tierwise.simulator;

import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import java.util.List;
import java.util.Map;

/**
 * The decisions in a run: by the scenario's policies, or as a real run decided before, so that the
 * rest of it can be compared without the luck of other draws.
 *
 * @param placement where blocks go
 * @param access what readers read
 * @param nodesByJob by a job's name the node of each of its maps; empty: the scheduler decides
 */
public record Decisions(
    PlacementPolicy placement, AccessStrategy access, Map<String, List<Integer>> nodesByJob) {
  public Decisions {
    nodesByJob = Map.copyOf(nodesByJob);
  }

  /** As the scenario says. */
  public static Decisions of(Scenario scenario) {
    return new Decisions(
        PlacementPolicies.parse(scenario.policies().placement(), ScenarioTiers.table(scenario)),
        AccessStrategies.parse(scenario.policies().access()),
        Map.of());
  }
}
