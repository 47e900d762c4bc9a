package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.racksOf;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ArrayClusterView;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TierAwareAsPublishedTest extends PlacementContract {
  private final PlacementPolicy asPublished = new TierAwarePlacement(false);

  @Override
  protected PlacementPolicy policy() {
    return asPublished;
  }

  @Override
  protected boolean rackSafe() {
    return false;
  }

  /**
   * DerbyhatS 4.3: 12% of the blocks stand in one rack. Three equal racks give 1 in 9, less the
   * node taken twice.
   */
  @Test
  void aboutOneBlockInNineStandsInOneOfThreeRacks() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 20);
    SplittableRandom random = new SplittableRandom(11);
    int blocks = 20_000;
    int inOneRack = 0;
    for (int i = 0; i < blocks; i++) {
      Place decision = asPublished.place(newBlock(3, i % 60), view, random);
      inOneRack += racksOf(decision, view).stream().distinct().count() == 1 ? 1 : 0;
    }
    double expected = 19.0 / 59 * 18 / 58;
    assertThat((double) inOneRack / blocks).isCloseTo(expected, Offset.offset(0.01));
  }
}
