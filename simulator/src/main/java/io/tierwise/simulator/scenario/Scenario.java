package io.tierwise.simulator.scenario;

import java.util.List;
import java.util.Objects;

/**
 * All that a run depends on: the same scenario gives the same run.
 *
 * @param name for reports
 * @param seed of every random stream
 * @param tiers fastest first
 * @param faults in any order
 */
public record Scenario(
    String name,
    long seed,
    ClusterSpec cluster,
    List<TierSpec> tiers,
    PolicySpec policies,
    ModelSpec model,
    WorkloadSpec workload,
    List<FaultSpec> faults) {
  public Scenario {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(policies, "policies");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(workload, "workload");
    tiers = List.copyOf(tiers);
    faults = List.copyOf(faults);
  }
}
