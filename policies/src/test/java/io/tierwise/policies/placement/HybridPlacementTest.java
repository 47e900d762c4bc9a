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
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class HybridPlacementTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom();
  private final PlacementPolicy hybrid = new HybridPlacement();
  private final ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);

  @Override
  protected PlacementPolicy policy() {
    return hybrid;
  }

  @RepeatedTest(50)
  void putsFastOnTheWriterAnotherTierInAnotherRackAndTheThirdTierBesideOne() {
    Place decision = hybrid.place(newBlock(3, 5), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(0, 1, 2);
    assertThat(nodesOf(decision, view).get(0)).isEqualTo(5);
    List<Integer> racks = racksOf(decision, view);
    assertThat(racks.get(1)).isNotEqualTo(racks.get(0));
    assertThat(racks.get(2)).isIn(racks.get(0), racks.get(1));
    assertThat(decision.choices()).allMatch(choice -> choice.given() == GivenUp.NOTHING);
  }

  @RepeatedTest(50)
  void firstReplicaTakesTheFastestTierThatTheWriterHas() {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(threeTiers());
    for (int i = 0; i < 6; i++) {
      int node = builder.addNode("node" + i, "rack" + i / 2, "region");
      for (int tier = i == 0 ? 1 : 0; tier < 3; tier++) {
        builder.addVolume(node, tier, Clusters.FREE_BYTES);
      }
    }
    ArrayClusterView withoutNvmeAtWriter = builder.build();
    Place decision = hybrid.place(newBlock(3, 0), withoutNvmeAtWriter, random);
    assertThat(nodesOf(decision, withoutNvmeAtWriter).get(0)).isZero();
    assertThat(tiersOf(decision, withoutNvmeAtWriter)).containsExactly(1, 0, 2);
  }

  @RepeatedTest(20)
  void firstReplicaStaysInTheRackOfAnOverloadedWriter() {
    view.refuseNode(5, Refusal.OVERLOADED);
    Place decision = hybrid.place(newBlock(3, 5), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(0, 1, 2);
    assertThat(racksOf(decision, view).get(0)).isEqualTo(view.rackOfNode(5));
  }

  @RepeatedTest(20)
  void restoresTheTierThatWasLost() {
    int nvme = volume(view, 0, 0, 0);
    int sata = volume(view, 1, 1, 1);
    int disk = volume(view, 2, 1, 2);
    FileView file = new FileView(1, 0);
    for (int lost = 0; lost < 3; lost++) {
      int[] all = {nvme, sata, disk};
      int[] left = {all[(lost + 1) % 3], all[(lost + 2) % 3]};
      int source = view.nodeOfVolume(left[0]);
      Place decision = hybrid.place(request(file, 1, source, left), view, random);
      assertThat(tiersOf(decision, view)).containsExactly(lost);
    }
  }

  @RepeatedTest(20)
  void leavesTheTierRatherThanPutAllReplicasInOneRack() {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(threeTiers());
    for (int i = 0; i < 6; i++) {
      int node = builder.addNode("node" + i, "rack" + i / 3, "region");
      builder.addVolume(node, i < 3 ? i % 2 : 2, Clusters.FREE_BYTES);
    }
    ArrayClusterView fastTiersInOneRack = builder.build();
    Place decision = hybrid.place(newBlock(2, 0), fastTiersInOneRack, random);
    assertThat(racksOf(decision, fastTiersInOneRack)).containsExactly(0, 1);
    assertThat(decision.choices().get(1).given()).isEqualTo(GivenUp.TIER);
  }

  @Test
  void extraReplicaToDropIsOneThatDuplicatesATier() {
    int[] volumes = {
      volume(view, 0, 0, 0), volume(view, 1, 1, 1), volume(view, 2, 1, 2), volume(view, 1, 2, 0)
    };
    int excess = hybrid.chooseExcess(volumes, new FileView(1, 0), 3, view)[0];
    assertThat(view.tierOfVolume(volumes[excess])).isEqualTo(1);
  }
}
