package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.nodesOf;
import static io.tierwise.policies.placement.Clusters.racksOf;
import static io.tierwise.policies.placement.Clusters.regionsOf;
import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RegionAwarePlacementTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom(3);
  private final PlacementPolicy regionAware = new RegionAwarePlacement();

  @Override
  PlacementPolicy policy() {
    return regionAware;
  }

  @Override
  void assertRestored(int lost, int restored, ClusterView view) {
    assertThat(region(restored, view)).isEqualTo(region(lost, view));
  }

  @Override
  void assertKept(int[] three, int[] left, ClusterView view) {
    assertThat(Arrays.stream(left).map(volume -> region(volume, view)).distinct()).hasSize(3);
  }

  private static int region(int volume, ClusterView view) {
    return view.regionOfRack(view.rackOfNode(view.nodeOfVolume(volume)));
  }

  @Test
  void eachChosenRegionHoldsAWholeCopyOfTheFile() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 6, 2, 3);
    Set<Set<Integer>> regionSets = new HashSet<>();
    for (int fileId = 1; fileId <= 40; fileId++) {
      PlacementDecision first =
          regionAware.place(
              request(new FileView(fileId, 0, ClusterView.NONE), 3, fileId % 36), view, random);
      int home = regionsOf(first, view).get(0);
      assertThat(home).isEqualTo(view.regionOfRack(view.rackOfNode(fileId % 36)));
      Set<Integer> regions = new HashSet<>(regionsOf(first, view));
      assertThat(regions).hasSize(3);
      for (int block = 1; block < 20; block++) {
        FileView file = new FileView(fileId, block, home);
        // Another writer appends from elsewhere: the file stays in its regions.
        PlacementDecision decision = regionAware.place(request(file, 3, block % 36), view, random);
        assertThat(regionsOf(decision, view)).containsExactlyInAnyOrderElementsOf(regions);
      }
      regionSets.add(regions);
    }
    assertThat(regionSets).as("files are spread over the regions").hasSizeGreaterThan(10);
  }

  @RepeatedTest(20)
  void theSecondRoundUsesAnotherRackOfEachRegion() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    PlacementDecision decision = regionAware.place(newBlock(4, 0), view, random);
    assertThat(regionsOf(decision, view)).containsExactly(0, 1, 0, 1);
    assertThat(racksOf(decision, view)).doesNotHaveDuplicates();
  }

  @RepeatedTest(20)
  void oneRegionIsPlacedAsNetworkAware() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);
    PlacementDecision decision = regionAware.place(newBlock(3, 7), view, random);
    List<Integer> racks = racksOf(decision, view);
    assertThat(nodesOf(decision, view).get(0)).isEqualTo(7);
    assertThat(racks.get(1)).isNotEqualTo(racks.get(0));
    assertThat(racks.get(2)).isEqualTo(racks.get(1));
  }
}
