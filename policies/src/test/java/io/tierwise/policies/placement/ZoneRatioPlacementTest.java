package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.tiersOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ZoneRatioPlacementTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom(5);

  @Override
  protected PlacementPolicy policy() {
    return PlacementPolicies.parse("zone-ratio:0.5", threeTiers());
  }

  @Override
  protected void assertRestored(int lost, int restored, ClusterView view) {
    assertThat(isFast(restored, view)).isEqualTo(isFast(lost, view));
  }

  @Override
  protected void assertKept(int[] three, int[] left, ClusterView view) {
    assertThat(Arrays.stream(left).mapToObj(volume -> isFast(volume, view)))
        .containsOnly(isFast(three[0], view));
  }

  private static boolean isFast(int volume, ClusterView view) {
    return view.tierOfVolume(volume) < 2;
  }

  @Test
  void allReplicasOfABlockStandInItsZone() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);
    ZoneRatioPlacement policy =
        (ZoneRatioPlacement) PlacementPolicies.parse("zone-ratio:0.3", threeTiers());
    int fastBlocks = 0;
    for (int block = 0; block < 100; block++) {
      FileView file = new FileView(1, block);
      Place decision = policy.place(request(file, 3, block % 12), view, random);
      boolean fast = policy.zoneOfBlock(block) == 0;
      assertThat(tiersOf(decision, view)).hasSize(3).allMatch(tier -> (tier < 2) == fast);
      fastBlocks += fast ? 1 : 0;
    }
    assertThat(fastBlocks).isEqualTo(30);
  }

  @Test
  void nothingAndEverythingAreSharesToo() {
    ZoneRatioPlacement none = zones("zone-ratio:0");
    ZoneRatioPlacement all = zones("zone-ratio:1");
    for (int block = 0; block < 1000; block++) {
      assertThat(none.zoneOfBlock(block)).isEqualTo(1);
      assertThat(all.zoneOfBlock(block)).isZero();
    }
  }

  @Test
  void theScopeIsReadByTheHost() {
    assertThat(zones("zone-ratio:0.3").countsOverDirectory()).isFalse();
    assertThat(zones("zone-ratio:0.3,scope=file").countsOverDirectory()).isFalse();
    assertThat(zones("zone-ratio:0.3,scope=directory").countsOverDirectory()).isTrue();
  }

  @Test
  void aNewCopyFollowsTheMajorityOfTheReplicasNotTheIndex() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);
    ZoneRatioPlacement allFast = zones("zone-ratio:1");
    int[] slow = {Clusters.volume(view, 2, 0, 0), Clusters.volume(view, 2, 1, 0)};
    FileView file = new FileView(1, 0);
    Place decision = allFast.place(request(file, 1, 0, slow), view, random);
    assertThat(tiersOf(decision, view)).containsExactly(2);
  }

  @Test
  void copyOfABlockWithoutALiveReplicaGoesToTheOnlyZoneOfItsSourceElseByTheIndex() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);
    int slow = Clusters.volume(view, 2, 0, 0);
    int fast = Clusters.volume(view, 1, 0, 0);
    assertThat(tiersOf(copyFrom(view, slow), view)).containsExactly(2);
    assertThat(tiersOf(copyFrom(view, fast), view)).first().isIn(0, 1);
    assertThat(tiersOf(copyFrom(view, slow, fast), view)).first().isIn(0, 1);
    assertThat(tiersOf(copyFrom(view, slow, ClusterView.NONE), view)).first().isIn(0, 1);
    assertThat(tiersOf(copyFrom(view), view)).first().isIn(0, 1);
  }

  /** Index 0 belongs to the fast zone. */
  private Place copyFrom(ClusterView view, int... sourceVolumes) {
    PlacementRequest request =
        new PlacementRequest(
            new FileView(1, 0),
            Clusters.BLOCK_BYTES,
            1,
            ClusterView.NONE,
            ClusterView.NONE,
            new int[0],
            PlacementRequest.NodeSet.EMPTY,
            PlacementRequest.Avoid.NOTHING,
            ClusterView.NONE,
            sourceVolumes,
            List.of(),
            PlacementRequest.Allowance.UNLIMITED);
    return policy().place(request, view, random);
  }

  private static ZoneRatioPlacement zones(String specification) {
    return (ZoneRatioPlacement) PlacementPolicies.parse(specification, threeTiers());
  }
}
