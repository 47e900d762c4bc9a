package io.tierwise.simulator.scenario;

/**
 * Which policies decide, as their specifications: the text that a live cluster takes.
 *
 * @param placement for {@code PlacementPolicies.parse}
 * @param access for {@code AccessStrategies.parse}
 * @param replication replicas of each block of input and output files
 * @param blockBytes of every file
 * @param scheduler which waiting job gets a free slot
 */
public record PolicySpec(
    String placement, String access, int replication, long blockBytes, Scheduler scheduler) {

  /** Stock schedulers, as baselines. */
  public enum Scheduler {
    FIFO,
    FAIR,
    CAPACITY
  }
}
