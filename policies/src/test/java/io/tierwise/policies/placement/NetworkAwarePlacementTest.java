package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.nodesOf;
import static io.tierwise.policies.placement.Clusters.racksOf;
import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.tiersOf;
import static io.tierwise.policies.placement.Clusters.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class NetworkAwarePlacementTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom();
  private final PlacementPolicy networkAware = new NetworkAwarePlacement();
  private final ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 4, 4);
  private final FileView file = new FileView(1, 0);

  @Override
  protected PlacementPolicy policy() {
    return networkAware;
  }

  @Override
  protected void assertRestored(int lost, int restored, ClusterView cluster) {
    assertThat(restored).as("any tier does").isNotEqualTo(ClusterView.NONE);
  }

  @Override
  protected void assertKept(int[] three, int[] left, ClusterView cluster) {
    assertThat(left).hasSize(3);
  }

  @RepeatedTest(50)
  void writersNodeThenAnotherRackThenTheSecondsRack() {
    Place decision = networkAware.place(newBlock(3, 6), view, random);
    List<Integer> racks = racksOf(decision, view);
    assertThat(nodesOf(decision, view).get(0)).isEqualTo(6);
    assertThat(racks.get(1)).isNotEqualTo(racks.get(0));
    assertThat(racks.get(2)).isEqualTo(racks.get(1));
  }

  @RepeatedTest(50)
  void ofTwoReplicasInOneRackTheThirdLeavesIt() {
    int[] existing = {volume(view, 0, 2, 0), volume(view, 1, 2, 1)};
    int source = view.nodeOfVolume(existing[0]);
    Place decision = networkAware.place(request(file, 1, source, existing), view, random);
    assertThat(racksOf(decision, view)).doesNotContain(2);
  }

  @RepeatedTest(50)
  void ofTwoReplicasInTwoRacksTheThirdJoinsTheSourceOfTheCopy() {
    int[] existing = {volume(view, 0, 2, 0), volume(view, 1, 3, 1)};
    int source = view.nodeOfVolume(existing[0]);
    Place decision = networkAware.place(request(file, 1, source, existing), view, random);
    assertThat(racksOf(decision, view)).containsExactly(2);
  }

  @RepeatedTest(50)
  void ofOneReplicaTheSecondLeavesItsRack() {
    int existing = volume(view, 0, 2, 0);
    Place decision =
        networkAware.place(request(file, 2, view.nodeOfVolume(existing), existing), view, random);
    assertThat(racksOf(decision, view).get(0)).isNotEqualTo(2);
  }

  @RepeatedTest(20)
  void replicaAtAnUnknownPlaceCountsAndTheLastOneLeavesTheOnlyKnownRack() {
    int known = volume(view, 0, 2, 0);
    Place decision =
        networkAware.place(
            request(file, 1, view.nodeOfVolume(known), known, ClusterView.NONE), view, random);
    assertThat(racksOf(decision, view)).hasSize(1).doesNotContain(2);
  }

  @RepeatedTest(20)
  void staysInTheTiersThatItIsGiven() {
    PlacementPolicy fast = PlacementPolicies.parse("network-aware:tiers=sata+nvme", threeTiers());
    assertThat(fast.name()).isEqualTo("network-aware:tiers=nvme+sata");
    assertThat(tiersOf(fast.place(newBlock(5, 6), view, random), view)).doesNotContain(2);
  }

  @Test
  void excessReplicaIsOneWhoseRackHoldsAnother() {
    int[] volumes = {
      volume(view, 0, 0, 0), volume(view, 1, 1, 1), volume(view, 2, 1, 2), volume(view, 2, 2, 0)
    };
    assertThat(networkAware.chooseExcess(volumes, file, 3, view)[0]).isIn(1, 2);
  }

  @Test
  void excessReplicaIsOneThatSharesANode() {
    int[] volumes = {
      volume(view, 0, 0, 0), volume(view, 2, 0, 0), volume(view, 1, 1, 2), volume(view, 2, 1, 1)
    };
    assertThat(networkAware.chooseExcess(volumes, file, 3, view)[0]).isIn(0, 1);
  }

  @Test
  void replicaAtAnUnknownPlaceIsNotTheExcessOne() {
    int[] volumes = {ClusterView.NONE, volume(view, 2, 0, 0), ClusterView.NONE};
    assertThat(networkAware.chooseExcess(volumes, file, 2, view)[0]).isEqualTo(1);
  }
}
