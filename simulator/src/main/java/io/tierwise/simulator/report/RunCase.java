package io.tierwise.simulator.report;

import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import java.util.List;
import java.util.OptionalDouble;

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

  /** Whether both have the same workload. */
  public boolean runsTheJobsOf(RunCase other) {
    return scenario.workload().equals(other.scenario.workload());
  }

  /** The estimate of a figure by its runs. */
  public Estimate estimate(Figure figure) {
    return Estimate.of(
        runs.stream().mapToDouble(run -> figure.measure().of(run, scenario)).toArray());
  }

  /**
   * The rate of the first run's reads as a share of the best one: that of the best fractional
   * assignment of readers to replicas. Empty when they are no such problem. Takes seconds for many
   * replicas.
   *
   * @param replicasMax of all readers' blocks; empty for more
   */
  public OptionalDouble shareOfBound(int replicasMax) {
    RunResult.Reads reads = runs.get(0).reads();
    boolean isTold =
        reads.together().filter(problem -> problem.replicaCount() <= replicasMax).isPresent();
    return !isTold || !complete() || hasFailedJobs()
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            reads.totalBytesPerSecond()
                / ReadBound.fluidBytesPerSecond(reads.together().orElseThrow()));
  }

  /** Whether jobs failed in any run: what they would have taken is in no figure. */
  public boolean hasFailedJobs() {
    return runs.stream().anyMatch(run -> run.jobs().failed() > 0);
  }

  /** Whether no job finished in any run, and some failed: its figures tell of no job then. */
  public boolean hasOnlyFailedJobs() {
    return hasFailedJobs() && runs.stream().allMatch(run -> run.jobs().finished() == 0);
  }

  /**
   * A figure's mean, to choose the case with the least of: infinite when it is not known, or when
   * jobs failed, since a cluster that fails its jobs is soon done with them.
   */
  public double cost(Figure figure) {
    double mean = hasFailedJobs() ? Double.NaN : estimate(figure).mean();
    return Double.isNaN(mean) ? Double.POSITIVE_INFINITY : mean;
  }

  public List<String> tierNames() {
    return runs.get(0).tierNames();
  }
}
