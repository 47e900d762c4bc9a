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
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** {@code hybrid:racks=3}. */
class HybridOverThreeRacksTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom();
  private final PlacementPolicy hybrid = new HybridPlacement(3);
  private final ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);

  @Override
  protected PlacementPolicy policy() {
    return hybrid;
  }

  @RepeatedTest(50)
  void theThirdTierIsInAThirdRack() {
    Place decision = hybrid.place(newBlock(3, 5), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(0, 1, 2);
    assertThat(nodesOf(decision, view).get(0)).isEqualTo(5);
    assertThat(racksOf(decision, view)).doesNotHaveDuplicates();
    assertThat(decision.choices()).allMatch(choice -> choice.given() == GivenUp.NOTHING);
  }

  @RepeatedTest(20)
  void aLostReplicaComesBackInTheRackThatHoldsNone() {
    int[] all = {volume(view, 0, 0, 0), volume(view, 1, 1, 1), volume(view, 2, 2, 2)};
    for (int lost = 0; lost < 3; lost++) {
      int[] left = {all[(lost + 1) % 3], all[(lost + 2) % 3]};
      PlacementRequest asked = request(new FileView(1, 0), 1, view.nodeOfVolume(left[0]), left);
      Place decision = hybrid.place(asked, view, random);
      assertThat(tiersOf(decision, view)).containsExactly(lost);
      assertThat(racksOf(decision, view)).containsExactly(lost);
    }
  }

  /** Nothing is given up where there is no third rack: counters would tell of it at each block. */
  @RepeatedTest(20)
  void itIsHdfssOrderWhereThereAreTwo() {
    ArrayClusterView twoRacks = Clusters.uniform(threeTiers(), 1, 2, 4);
    Place decision = hybrid.place(newBlock(3, 5), twoRacks, random);
    assertThat(tiersOf(decision, twoRacks)).containsExactly(0, 1, 2);
    assertThat(racksOf(decision, twoRacks).stream().distinct()).hasSize(2);
    assertThat(decision.choices()).allMatch(choice -> choice.given() == GivenUp.NOTHING);
  }

  @Test
  void theTierIsKeptWhenTheThirdRackLacksIt() {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(threeTiers());
    for (int i = 0; i < 6; i++) {
      int node = builder.addNode("node" + i, "rack" + i / 2, "region");
      for (int tier = 0; tier < (i < 4 ? 3 : 1); tier++) {
        builder.addVolume(node, tier, Clusters.FREE_BYTES);
      }
    }
    ArrayClusterView fastOnlyInTheThird = builder.build();
    Place decision = hybrid.place(newBlock(3, 0), fastOnlyInTheThird, random);
    assertThat(tiersOf(decision, fastOnlyInTheThird)).containsExactly(0, 1, 2);
    assertThat(decision.choices().get(2).given()).isEqualTo(GivenUp.SPREAD);
  }

  /** A mover may not bring a block back to two racks. */
  @Test
  void aBlockNeedsThree() {
    assertThat(racksNeeded(hybrid, view)).isEqualTo(3);
    assertThat(racksNeeded(hybrid, Clusters.uniform(threeTiers(), 1, 2, 4))).isEqualTo(2);
    assertThat(racksNeeded(new HybridPlacement(), view)).isEqualTo(2);
  }

  private static int racksNeeded(PlacementPolicy policy, ArrayClusterView view) {
    int[] volumes = {volume(view, 0, 0, 0), volume(view, 1, 1, 1), volume(view, 2, 1, 2)};
    return policy.fit(new FileView(1, 0), volumes, 3, view).orElseThrow().racksNeeded(view);
  }
}
