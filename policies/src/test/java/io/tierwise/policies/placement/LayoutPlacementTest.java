package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.nodesOf;
import static io.tierwise.policies.placement.Clusters.racksOf;
import static io.tierwise.policies.placement.Clusters.regionsOf;
import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.tiersOf;
import static io.tierwise.policies.placement.Clusters.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LayoutPlacementTest extends PlacementContract {
  private static final String TWO_FAST_ONE_SLOW = "2 x nvme on different racks + 1 x disk";

  private final SplittableRandom random = new SplittableRandom();
  private final ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 4);
  private final FileView file = new FileView(1, 0);

  @Override
  protected PlacementPolicy policy() {
    return LayoutPlacement.of(TWO_FAST_ONE_SLOW, threeTiers());
  }

  @Test
  void showsTheLayoutThatItWasMadeOf() {
    LayoutPlacement policy =
        LayoutPlacement.of("2 x sata on different racks in region 1 + 1 x any", threeTiers());
    assertThat(policy.layout().orElseThrow().slots())
        .containsExactly(
            Slot.inTier(1, Spread.OTHER_RACK),
            Slot.inTier(1, Spread.OTHER_RACK),
            Slot.inTier(Slot.ANY, Spread.ANYWHERE));
  }

  @RepeatedTest(50)
  void placesWhatTheLayoutSays() {
    Place decision = policy().place(newBlock(3, 0), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(0, 0, 2);
    assertThat(racksOf(decision, view).subList(0, 2)).doesNotHaveDuplicates();
    assertThat(decision.choices()).allMatch(choice -> choice.given() == GivenUp.NOTHING);
  }

  @RepeatedTest(20)
  void moreReplicasRepeatTheLastSlotAndFewerTakeTheFirst() {
    assertThat(tiersOf(policy().place(newBlock(5, 0), view, random), view))
        .containsExactly(0, 0, 2, 2, 2);
    assertThat(tiersOf(policy().place(newBlock(1, 0), view, random), view)).containsExactly(0);
  }

  @RepeatedTest(20)
  void writersNodeAndSharedRackAreHonoured() {
    PlacementPolicy policy =
        LayoutPlacement.of(
            "1 x sata on the writer's node + 1 x any on the same rack + 1 x disk", threeTiers());
    Place decision = policy.place(newBlock(3, 9), view, random);
    assertThat(nodesOf(decision, view).get(0)).isEqualTo(9);
    assertThat(tiersOf(decision, view).get(0)).isEqualTo(1);
    assertThat(racksOf(decision, view).get(1)).isEqualTo(view.rackOfNode(9));
    assertThat(racksOf(decision, view).get(2)).isNotEqualTo(view.rackOfNode(9));
  }

  @RepeatedTest(20)
  void regionsAreNamedOrNumbered() {
    PlacementPolicy policy =
        LayoutPlacement.of(
            "2 x any on different racks in region region1 + 1 x disk in region 0", threeTiers());
    Place decision = policy.place(newBlock(3, 0), view, random);
    assertThat(regionsOf(decision, view)).containsExactly(1, 1, 0);
    assertThat(racksOf(decision, view).subList(0, 2)).doesNotHaveDuplicates();
  }

  @RepeatedTest(20)
  void digitsAreANameBeforeTheyAreANumber() {
    ArrayClusterView sites = Clusters.ofRegions(threeTiers(), "1", "2", "#0");
    for (var each : Map.of("1", 0, "2", 1, "#0", 2, "#1", 1, "0", 0, "#2", 2).entrySet()) {
      PlacementPolicy policy =
          LayoutPlacement.of("2 x any in region " + each.getKey(), threeTiers());
      assertThat(regionsOf(policy.place(newBlock(2, 0), sites, random), sites))
          .as(each.getKey())
          .containsOnly(each.getValue());
    }
  }

  @RepeatedTest(5)
  void aRegionThatIsNotThereIsGivenUpLast() {
    for (String region : new String[] {"nowhere", "17", "#17"}) {
      PlacementPolicy policy = LayoutPlacement.of("2 x sata in region " + region, threeTiers());
      Place decision = policy.place(newBlock(2, 0), view, random);
      assertThat(tiersOf(decision, view)).containsExactly(1, 1);
      assertThat(decision.choices()).allMatch(choice -> choice.given() == GivenUp.REGION);
    }
  }

  @RepeatedTest(20)
  void theLostOneOfTwoOnDifferentRacksComesBackOnAnotherRack() {
    int[] left = {volume(view, 2, 1, 0), volume(view, 0, 3, 1)};
    Place decision =
        policy().place(request(file, 1, view.nodeOfVolume(left[0]), left), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(0);
    assertThat(racksOf(decision, view)).doesNotContain(1, 3);
  }

  @RepeatedTest(20)
  void aReplicaThatOnlyFitsAnyTierLeavesTheNarrowSlotToAnother() {
    PlacementPolicy policy = LayoutPlacement.of("1 x any + 1 x nvme + 1 x disk", threeTiers());
    int[] left = {volume(view, 0, 0, 0), volume(view, 1, 1, 0)};
    Place decision = policy.place(request(file, 1, 0, left), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(2);
  }

  @RepeatedTest(50)
  void theLastReplicaLeavesTheOnlyKnownRackWhenAnotherOneIsAtAnUnknownPlace() {
    PlacementPolicy policy = LayoutPlacement.of("3 x nvme", threeTiers());
    int known = volume(view, 0, 2, 0);
    Place decision =
        policy.place(request(file, 1, ClusterView.NONE, known, ClusterView.NONE), view, random);
    assertThat(racksOf(decision, view)).hasSize(1).doesNotContain(2);
  }

  @RepeatedTest(20)
  void aReplicaMakesRoomInItsSlotForOneThatFitsNoOther() {
    PlacementPolicy policy =
        LayoutPlacement.of("1 x nvme + 1 x any in region 1 + 1 x disk", threeTiers());
    int[] left = {volume(view, 0, 2, 0), volume(view, 0, 0, 0)};
    Place decision = policy.place(request(file, 1, 0, left), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(2);
  }

  @Test
  void excessReplicaIsTheOneOutsideTheLayout() {
    int[] volumes = {
      volume(view, 0, 0, 0), volume(view, 1, 1, 0), volume(view, 0, 2, 0), volume(view, 2, 2, 1)
    };
    assertThat(policy().chooseExcess(volumes, file, 3, view)[0]).isEqualTo(1);
  }

  @Test
  void theOnlyReplicaInASecondRackStaysAlsoOutsideTheLayout() {
    PlacementPolicy fastOnly = LayoutPlacement.of("3 x nvme", threeTiers());
    int[] volumes = {
      volume(view, 0, 0, 0), volume(view, 0, 0, 1), volume(view, 0, 0, 2), volume(view, 2, 2, 1)
    };
    assertThat(fastOnly.chooseExcess(volumes, file, 3, view)[0]).isNotEqualTo(3);
  }
}
