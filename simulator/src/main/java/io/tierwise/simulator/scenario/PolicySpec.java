package io.tierwise.simulator.scenario;

import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SchedulingProvider.Defaults;
import io.tierwise.policies.scheduling.SecondAttempts;

/**
 * The policies that decide, as their specifications: the text that a live cluster takes.
 *
 * @param placement for {@code PlacementPolicies.parse}
 * @param access for {@code AccessStrategies.parse}
 * @param replication replicas of each block of input and output files
 * @param blockBytes of every file
 * @param scheduler for {@code SchedulingPolicies.parse}
 */
public record PolicySpec(
    String placement, String access, int replication, long blockBytes, String scheduler) {
  /** The stock scheduler. */
  public static final String FIFO = "fifo";

  /** Own: how much longer than the mean a late task has run, when the model says no more. */
  private static final SecondAttempts USUAL_ATTEMPTS = new SecondAttempts(1.5);

  /**
   * The scheduling policy; what its text leaves out is the model's.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   * @throws IllegalStateException when it gives a node no task a turn: no job would ever go on
   */
  public SchedulingPolicy scheduling(ModelSpec model) {
    long patienceNanos = Math.round(model.localityDelaySeconds() * 1e9);
    SecondAttempts attempts = model.speculative() ? USUAL_ATTEMPTS : SecondAttempts.NEVER;
    SchedulingPolicy policy =
        SchedulingPolicies.parse(scheduler, new Defaults(patienceNanos, attempts));
    if (policy.tasksATurn() < 1) {
      throw new IllegalStateException(
          "scheduling policy "
              + policy.name()
              + " gives a node "
              + policy.tasksATurn()
              + " tasks a turn, must be 1 or more");
    }
    return policy;
  }
}
