package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.view.ClusterView;
import java.util.List;

/**
 * Checks answers of placement policies before a host follows them. A policy of another jar may
 * break its promises, and no host is to lose data by that, or to foretell what no cluster would do.
 *
 * <p>Cheap enough for every answer: a few comparisons for each pair of replicas.
 */
public final class PlacementPromises {
  private PlacementPromises() {}

  /**
   * Checks that there is an answer, by volumes that are there.
   *
   * @param volumeCount of those that an answer may name
   * @throws IllegalStateException naming the policy and what it should not have answered
   */
  public static void requireAnswer(PlacementPolicy policy, Place decision, int volumeCount) {
    require(decision != null, policy.name(), "gave no answer");
    List<Choice> choices = decision.choices();
    // By index: an iterator would be garbage of each decision.
    for (int i = 0; i < choices.size(); i++) {
      int volume = choices.get(i).volume();
      require(
          volume >= 0 && volume < volumeCount, policy.name(), "chose a volume that is not there");
    }
  }

  /**
   * Checks how many replicas an answer has.
   *
   * @param wanted replicas that were asked for
   * @param atOnceMin of them, how many were not to be left for later
   * @throws IllegalStateException naming the policy and what it should not have answered
   */
  public static void requireCount(Place decision, int wanted, int atOnceMin) {
    int mayWait = Math.max(0, wanted - Math.max(1, atOnceMin));
    require(
        decision.choices().size() + decision.async() <= wanted && decision.async() <= mayWait,
        decision.policy(),
        "gave more volumes than were wanted, or left too many for later");
  }

  /**
   * Checks an answer by the ids of the view that the policy saw.
   *
   * @throws IllegalStateException naming the policy and what it should not have answered
   */
  public static void require(
      PlacementPolicy policy, Place decision, PlacementRequest request, ClusterView view) {
    requireAnswer(policy, decision, view.volumeCount());
    requireCount(decision, request.replicaCount(), request.atOnceMin());
    for (int i = 0; i < decision.choices().size(); i++) {
      int node = view.nodeOfVolume(decision.choices().get(i).volume());
      require(
          !request.excluded().contains(node),
          decision.policy(),
          "chose a node that was to be left out");
      for (int before = 0; before < i; before++) {
        requireOther(decision.choices().get(before).volume(), node, decision, view);
      }
      for (int existing : request.existingVolumes()) {
        requireOther(existing, node, decision, view);
      }
    }
  }

  private static void requireOther(int volume, int node, Place decision, ClusterView view) {
    require(
        volume == ClusterView.NONE || view.nodeOfVolume(volume) != node,
        decision.policy(),
        "put two replicas on one node");
  }

  /**
   * Checks the replicas of a block that go. Called under a NameNode's write lock: a look at each of
   * them.
   *
   * @param chosen indexes of those that go
   * @param count of the replicas
   * @param wanted how many should stay
   * @throws IllegalStateException naming the policy and what it should not have answered
   */
  public static void requireExcess(PlacementPolicy policy, int[] chosen, int count, int wanted) {
    boolean isKept = chosen != null && chosen.length == count - wanted;
    boolean[] goes = new boolean[count];
    for (int i = 0; isKept && i < chosen.length; i++) {
      isKept = chosen[i] >= 0 && chosen[i] < count && !goes[chosen[i]];
      if (isKept) {
        goes[chosen[i]] = true;
      }
    }
    require(isKept, policy.name(), "dropped other than the replicas that are too many");
  }

  /** Throws what says that the policy broke a promise. */
  public static void require(boolean holds, String policy, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(policy + " " + otherwise);
    }
  }
}
