package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LayoutChangeTest {
  private static final int SSD = 0;
  private static final int DISK = 1;
  private static final TierTable TIERS =
      TierTable.of(List.of(DeviceClass.unmeasured("ssd"), DeviceClass.unmeasured("disk")));

  private static LayoutChange of(String layout) {
    return LayoutChange.of(layout, TIERS);
  }

  @Test
  void whatComesIsFirst() {
    assertThat(of("3 x disk").with(SSD, 1).placement().name())
        .isEqualTo("layout:1 x ssd + 3 x disk");
    assertThat(LayoutChange.anywhere(3, TIERS).with(SSD, 2).placement().name())
        .isEqualTo("layout:2 x ssd + 3 x any");
  }

  @Test
  void whatIsThereAlreadyDoesNotComeAgain() {
    assertThat(of("1 x ssd + 2 x disk").with(SSD, 1).placement().name())
        .isEqualTo("layout:1 x ssd + 2 x disk");
    assertThat(of("1 x ssd + 2 x disk").with(SSD, 2).placement().name())
        .isEqualTo("layout:2 x ssd + 2 x disk");
  }

  @Test
  void aTierLosesAllItsReplicas() {
    LayoutChange left = of("1 x ssd + 2 x disk on different racks + 1 x ssd").without(SSD);

    assertThat(left.placement().name()).isEqualTo("layout:2 x disk on different racks");
    assertThat(left.replicaCount()).isEqualTo(2);
  }

  @Test
  void whatMovesKeepsRackAndRegion() {
    assertThat(of("3 x disk on different racks in region a").moved(DISK, SSD, 1).placement().name())
        .isEqualTo(
            "layout:1 x ssd on different racks in region a + 2 x disk on different racks in region"
                + " a");
    assertThat(of("1 x ssd + 1 x disk").moved(DISK, SSD, 5).placement().name())
        .isEqualTo("layout:2 x ssd");
  }

  @Test
  void aLayoutWithoutReplicaIsNone() {
    assertThatThrownBy(() -> of("2 x ssd").without(SSD).placement())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a layout needs at least one replica");
  }

  private static final LayoutChange.Region EAST =
      new LayoutChange.Region("east", List.of("east", "west"));
  private static final LayoutChange.Region WEST =
      new LayoutChange.Region("west", List.of("east", "west"));

  @Test
  void aRegionGetsCopiesAndLosesThem() {
    assertThat(of("3 x disk").with(WEST, 2).placement().name())
        .isEqualTo("layout:2 x any in region west + 3 x disk");
    assertThat(of("1 x ssd in region west + 2 x disk").with(WEST, 1).placement().name())
        .isEqualTo("layout:1 x ssd in region west + 2 x disk");
    assertThat(
            of("2 x ssd in region east + 1 x disk in region west")
                .atMost(EAST, 1)
                .placement()
                .name())
        .isEqualTo("layout:1 x ssd in region east + 1 x disk in region west");
    assertThat(of("2 x ssd in region east").atMost(EAST, 0).replicaCount()).isZero();
  }

  @Test
  void aRegionIsTheSameByItsNameAndByItsNumber() {
    LayoutChange both = of("1 x ssd in region 1 + 1 x disk in region west + 1 x disk in region 0");

    assertThat(both.count(WEST)).isEqualTo(2);
    assertThat(both.moved(WEST, EAST, 2).placement().name())
        .isEqualTo(
            "layout:1 x ssd in region east + 1 x disk in region east + 1 x disk in region 0");
  }

  /** Region names of digits, such as of numbered sites, and of digits after a number sign. */
  @Test
  void aRegionWithAnyNameGetsItsCopiesOnceAndLosesThem() {
    SplittableRandom random = new SplittableRandom(7);
    List<String> pool = List.of("0", "1", "2", "3", "001", "#0", "#1", "#2", "12345", "east");
    for (int run = 0; run < 500; run++) {
      List<String> names = new ArrayList<>(pool);
      Collections.shuffle(names, new Random(run));
      names = List.copyOf(names.subList(0, 1 + random.nextInt(4)));
      ArrayClusterView view = Clusters.ofRegions(TIERS, names.toArray(new String[0]));
      int number = random.nextInt(names.size());
      LayoutChange.Region region = new LayoutChange.Region(names.get(number), names);

      LayoutChange with = of("1 x disk").with(region, 2);
      LayoutChange stored = of(with.placement().name().substring("layout:".length()));
      assertThat(stored.with(region, 2).placement().name())
          .as("asked again, of %s in %s", region.name(), names)
          .isEqualTo(with.placement().name());
      assertThat(stored.atMost(region, 0).placement().name()).isEqualTo("layout:1 x disk");
      Place decision =
          stored.placement().place(Clusters.newBlock(2, 0), view, new SplittableRandom(run));
      assertThat(Clusters.nodesOf(decision, view))
          .as("%s in %s", region.name(), names)
          .allMatch(node -> view.regionOfRack(view.rackOfNode(node)) == number);
    }
  }

  @Test
  void replicasGatherInATierFromTheFarthest() {
    assertThat(of("2 x disk + 1 x any").gatheredIn(SSD, 1).placement().name())
        .isEqualTo("layout:2 x disk + 1 x ssd");
    assertThat(of("1 x ssd + 2 x disk in region east").gatheredIn(SSD, 2).placement().name())
        .isEqualTo("layout:1 x ssd + 1 x ssd in region east + 1 x disk in region east");
    assertThat(of("2 x ssd").gatheredIn(SSD, 1).placement().name()).isEqualTo("layout:2 x ssd");
    assertThat(of("2 x ssd").gatheredIn(DISK, 5).placement().name()).isEqualTo("layout:2 x disk");
  }
}
