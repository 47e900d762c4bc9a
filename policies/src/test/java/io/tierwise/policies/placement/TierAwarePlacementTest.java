package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.tiers;
import static io.tierwise.policies.placement.Clusters.tiersOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.FileView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TierAwarePlacementTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom(7);
  private final PlacementPolicy tierAware = new TierAwarePlacement(true);

  @Override
  protected PlacementPolicy policy() {
    return tierAware;
  }

  @Test
  void oneTwoAndThreeTiersAreAllUsedAndTheSlowestRepeats() {
    assertThat(tiersOfOneBlock(4, "nvme")).containsExactly(0, 0, 0, 0);
    assertThat(tiersOfOneBlock(4, "nvme", "disk")).containsExactly(0, 1, 1, 1);
    assertThat(tiersOfOneBlock(5, "nvme", "sata", "disk")).containsExactly(0, 2, 1, 2, 2);
  }

  private List<Integer> tiersOfOneBlock(int replicaCount, String... names) {
    ArrayClusterView view = Clusters.uniform(tiers(names), 1, 3, 4);
    return tiersOf(tierAware.place(newBlock(replicaCount, 0), view, random), view);
  }

  @Test
  void withMoreTiersTheIntermediateOneIsDrawnForTheFileAndHoldsAllItsBlocks() {
    ArrayClusterView view = Clusters.uniform(tiers("ram", "nvme", "sata", "sas", "disk"), 1, 3, 4);
    Set<Integer> drawn = new HashSet<>();
    for (int fileId = 1; fileId <= 60; fileId++) {
      Set<List<Integer>> tiersOfBlocks = new HashSet<>();
      for (int block = 0; block < 20; block++) {
        FileView file = new FileView(fileId, block);
        PlacementRequest request = Clusters.request(file, 3, block % 12);
        tiersOfBlocks.add(tiersOf(tierAware.place(request, view, random), view));
      }
      assertThat(tiersOfBlocks).as("file %s", fileId).hasSize(1);
      List<Integer> tiers = new ArrayList<>(tiersOfBlocks.iterator().next());
      assertThat(tiers).startsWith(0, 4);
      drawn.add(tiers.get(2));
    }
    assertThat(drawn).containsExactlyInAnyOrder(1, 2, 3);
  }
}
