package io.tierwise.policies.recorded;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlacementRequest.Allowance;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.Pledge;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A placement decision of a live host: the question, all that the policy could see, the seed, and
 * the answer. Quotas and limits in bytes are not recorded: a file that has one cannot be asked
 * again.
 *
 * @param policy its specification
 * @param answer the volumes that were chosen
 * @param why the decision's own line
 */
public record RecordedPlacement(
    RecordedCluster cluster,
    String policy,
    long seed,
    FileView file,
    int replicaCount,
    int writerNode,
    int writerRack,
    int[] existingVolumes,
    int[] excludedNodes,
    Avoid avoid,
    int avoidedNode,
    int[] sourceVolumes,
    List<Pledge> pledges,
    int[] answer,
    String why) {

  /** Records a decision at the moment when it was made. */
  public static RecordedPlacement of(
      PlacementRequest request, ClusterView view, long seed, Place decision) {
    return new RecordedPlacement(
        RecordedCluster.of(view, request.blockBytes()),
        decision.policy(),
        seed,
        request.file(),
        request.replicaCount(),
        request.writerNode(),
        request.writerRack(),
        request.existingVolumes(),
        IntStream.range(0, view.nodeCount()).filter(request.excluded()::contains).toArray(),
        request.avoid(),
        request.avoidedNode(),
        request.sourceVolumes(),
        request.pledges(),
        volumes(decision),
        decision.describe(view));
  }

  /** The question. */
  public PlacementRequest request() {
    return new PlacementRequest(
        file,
        cluster.blockBytes(),
        replicaCount,
        writerNode,
        writerRack,
        existingVolumes,
        node -> Arrays.stream(excludedNodes).anyMatch(excluded -> excluded == node),
        avoid,
        avoidedNode,
        sourceVolumes,
        pledges,
        Allowance.UNLIMITED);
  }

  /** Asks the policy again. */
  public Place replay() {
    return PlacementPolicies.parse(policy, cluster.tiers())
        .place(request(), cluster, new SplittableRandom(seed));
  }

  /** Whether the answer is the one that was recorded, for the same reasons. */
  public boolean isAnsweredBy(Place decision) {
    return Arrays.equals(volumes(decision), answer) && decision.describe(cluster).equals(why);
  }

  private static int[] volumes(Place decision) {
    return decision.choices().stream().mapToInt(choice -> choice.volume()).toArray();
  }
}
