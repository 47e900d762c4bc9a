package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.FileView;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replicas that stay until room is needed: how a layout says so, and which replica goes then. */
class SurplusReplicasTest {
  private static final int NVME = 0;
  private static final int DISK = 2;
  private static final LayoutChange.Region WEST =
      new LayoutChange.Region("west", List.of("east", "west"));

  private static LayoutChange of(String layout) {
    return LayoutChange.of(layout, Clusters.threeTiers());
  }

  private static String name(LayoutChange layout) {
    return layout.placement().name();
  }

  @Test
  void aMarkedReplicaIsTheLastOfItsLayout() {
    LayoutChange marked = of("1 x nvme + 2 x disk on different racks").surplusIn(NVME);

    assertThat(name(marked))
        .isEqualTo("layout:2 x disk on different racks + 1 x nvme surplus")
        .isEqualTo(name(marked.surplusIn(NVME)));
    assertThat(marked.replicaCount()).isEqualTo(3);
    assertThat(marked.firmCount()).isEqualTo(2);
    assertThat(marked.count(NVME)).isZero();
    assertThat(marked.countAll(NVME)).isEqualTo(1);
    assertThat(name(of("1 x any in region west + 2 x disk").surplusIn(WEST)))
        .isEqualTo("layout:2 x disk + 1 x any in region west surplus");
  }

  @Test
  void verbsThatWantMarkedReplicasHaveThemWithoutAnother() {
    LayoutChange marked = of("2 x disk + 1 x nvme surplus");

    assertThat(name(marked.with(NVME, 1))).isEqualTo("layout:2 x disk + 1 x nvme");
    assertThat(name(marked.with(NVME, 2))).isEqualTo("layout:1 x nvme + 2 x disk + 1 x nvme");
    assertThat(name(marked.gatheredIn(NVME, 1)))
        .isEqualTo("layout:1 x disk + 1 x nvme + 1 x disk surplus");
    assertThat(name(marked.gatheredIn(NVME, 2))).isEqualTo("layout:2 x nvme + 1 x disk surplus");
    assertThat(name(of("2 x disk + 2 x any in region west surplus").with(WEST, 1)))
        .isEqualTo("layout:2 x disk + 1 x any in region west + 1 x any in region west surplus");
  }

  @Test
  void otherVerbsLeaveMarkedReplicasAsTheyAre() {
    LayoutChange marked = of("1 x nvme + 1 x disk + 1 x nvme surplus");

    assertThat(name(marked.moved(NVME, DISK, 2))).isEqualTo("layout:2 x disk + 1 x nvme surplus");
    assertThat(name(of("2 x disk + 1 x disk surplus").gatheredIn(NVME, 3)))
        .isEqualTo("layout:2 x nvme + 1 x disk surplus");
    assertThat(name(marked.without(NVME))).isEqualTo("layout:1 x disk");
  }

  @Test
  void aFileDropsThoseOfATierAndThoseAfterThem() {
    LayoutChange layout = of("2 x disk + 1 x sata surplus + 1 x nvme surplus");

    assertThat(layout.keptWithoutSurplusIn(NVME, 4)).isEqualTo(3);
    assertThat(layout.keptWithoutSurplusIn(1, 4)).isEqualTo(2);
    assertThat(layout.keptWithoutSurplusIn(DISK, 4)).isEqualTo(4);
    assertThat(layout.keptWithoutSurplusIn(NVME, 3)).as("dropped already").isEqualTo(3);
    assertThat(layout.keptWithoutSurplusIn(NVME, 6)).isEqualTo(3);
  }

  @Test
  void aBlockWithOneReplicaFewerLosesTheMarkedOneUnlessItIsTheOnlyOneInASecondRack() {
    ArrayClusterView view = Clusters.uniform(Clusters.threeTiers(), 1, 2, 2);
    PlacementPolicy policy = of("2 x disk + 1 x nvme surplus").placement();
    int[] apart = {at(view, 0, NVME), at(view, 1, DISK), at(view, 2, DISK)};
    int[] alone = {at(view, 0, DISK), at(view, 1, DISK), at(view, 2, NVME)};

    assertThat(policy.chooseExcess(apart, new FileView(1, 0, 2), 2, view)).containsExactly(0);
    assertThat(policy.chooseExcess(alone, new FileView(1, 0, 2), 2, view)).doesNotContain(2);
  }

  private static int at(ArrayClusterView view, int node, int tier) {
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.nodeOfVolume(volume) == node && view.tierOfVolume(volume) == tier) {
        return volume;
      }
    }
    throw new AssertionError("node " + node + " has no volume of tier " + tier);
  }

  @Test
  void marksThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> of("1 x nvme surplus + 2 x disk"))
        .hasMessageContaining("begins with surplus replicas: name first those that have to stay");
    assertThatThrownBy(() -> of("1 x disk + 1 x nvme surplus + 1 x disk"))
        .hasMessageContaining("names replicas after surplus ones: write the surplus ones last");
    assertThat(name(of("1 x disk + 1 x any in region surplus")))
        .isEqualTo("layout:1 x disk + 1 x any in region surplus");
  }
}
