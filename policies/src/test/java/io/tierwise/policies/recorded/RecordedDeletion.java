package io.tierwise.policies.recorded;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicies;

/**
 * A live host's question which replicas of a block go, and the policy's answer.
 *
 * @param policy its specification
 * @param volumes those of the replicas, in the host's order
 * @param answer indexes into them, in the order in which they go
 */
public record RecordedDeletion(
    RecordedCluster cluster,
    String policy,
    FileView file,
    int[] volumes,
    int replicaCount,
    int[] answer) {

  /** Records a decision at the moment when it was made. */
  public static RecordedDeletion of(
      String policy,
      int[] volumes,
      FileView file,
      int replicaCount,
      ClusterView view,
      int[] answer) {
    return new RecordedDeletion(
        RecordedCluster.of(view, 0), policy, file, volumes.clone(), replicaCount, answer.clone());
  }

  /** Asks the policy again. */
  public int[] replay() {
    return PlacementPolicies.parse(policy, cluster.tiers())
        .chooseExcess(volumes, file, replicaCount, cluster);
  }
}
