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
 * @param stored files that are there at the start, beside the inputs of jobs
 * @param movements of stored files, in any order
 * @param upkeep monitor and flushes
 */
public record Scenario(
    String name,
    long seed,
    ClusterSpec cluster,
    List<TierSpec> tiers,
    PolicySpec policies,
    ModelSpec model,
    WorkloadSpec workload,
    List<FaultSpec> faults,
    List<StoredSpec> stored,
    List<MovementSpec> movements,
    UpkeepSpec upkeep) {
  public Scenario {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(policies, "policies");
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(workload, "workload");
    tiers = List.copyOf(tiers);
    faults = List.copyOf(faults);
    stored = List.copyOf(stored);
    movements = List.copyOf(movements);
    Objects.requireNonNull(upkeep, "upkeep");
  }

  /** A scenario in which nobody looks after stored data. */
  public Scenario(
      String name,
      long seed,
      ClusterSpec cluster,
      List<TierSpec> tiers,
      PolicySpec policies,
      ModelSpec model,
      WorkloadSpec workload,
      List<FaultSpec> faults,
      List<StoredSpec> stored,
      List<MovementSpec> movements) {
    this(
        name,
        seed,
        cluster,
        tiers,
        policies,
        model,
        workload,
        faults,
        stored,
        movements,
        UpkeepSpec.NONE);
  }

  /** A scenario in which nothing is stored beforehand, and nothing moves. */
  public Scenario(
      String name,
      long seed,
      ClusterSpec cluster,
      List<TierSpec> tiers,
      PolicySpec policies,
      ModelSpec model,
      WorkloadSpec workload,
      List<FaultSpec> faults) {
    this(name, seed, cluster, tiers, policies, model, workload, faults, List.of(), List.of());
  }

  /** The same with another seed. */
  public Scenario withSeed(long other) {
    return new Scenario(
        name, other, cluster, tiers, policies, model, workload, faults, stored, movements, upkeep);
  }

  /** The same with other jobs. */
  public Scenario withWorkload(WorkloadSpec other) {
    return new Scenario(
        name, seed, cluster, tiers, policies, model, other, faults, stored, movements, upkeep);
  }

  /** The same with other files that are stored beforehand. */
  public Scenario withStored(List<StoredSpec> files) {
    return new Scenario(
        name, seed, cluster, tiers, policies, model, workload, faults, files, movements, upkeep);
  }

  /** The same with other movements. */
  public Scenario withMovements(List<MovementSpec> others) {
    return new Scenario(
        name, seed, cluster, tiers, policies, model, workload, faults, stored, others, upkeep);
  }

  /** The same with others who look after stored data. */
  public Scenario withUpkeep(UpkeepSpec other) {
    return new Scenario(
        name, seed, cluster, tiers, policies, model, workload, faults, stored, movements, other);
  }
}
