package io.tierwise.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.LayoutFit;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import io.tierwise.policies.placement.ReplicaMatching;
import io.tierwise.policies.placement.SlotFiller;
import io.tierwise.policies.placement.SlotPlacement;
import io.tierwise.policies.placement.Wish;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The slot engine as policies of other jars use it: from another package, part by part. */
class SlotEngineTest {
  private static final long BLOCK_BYTES = 1 << 20;
  private static final FileView FILE = new FileView(1, 0);
  private static final Wish FAST = Wish.inTier(0, Spread.ANYWHERE);
  private static final Wish SLOW = Wish.inTier(1, Spread.OTHER_RACK);

  /** Two racks of two nodes; volumes 2n and 2n + 1 are the fast and the slow one of node n. */
  private final ArrayClusterView view = view();

  private static ArrayClusterView view() {
    ArrayClusterViewBuilder builder =
        new ArrayClusterViewBuilder(
            TierTable.of(Stream.of("fast", "slow").map(DeviceClass::unmeasured).toList()));
    for (int i = 0; i < 4; i++) {
      int node = builder.addNode("node" + i, "rack" + i / 2, "region");
      builder.addVolume(node, 0, 10 * BLOCK_BYTES);
      builder.addVolume(node, 1, 10 * BLOCK_BYTES);
    }
    return builder.build();
  }

  private static PlacementRequest request(int replicas, int... existing) {
    return new PlacementRequest(
        FILE,
        BLOCK_BYTES,
        replicas,
        ClusterView.NONE,
        ClusterView.NONE,
        existing,
        NodeSet.EMPTY,
        Avoid.NOTHING);
  }

  private SlotFiller filler(PlacementRequest request, int total) {
    return new SlotFiller(request, view, new SplittableRandom(1), total, true);
  }

  /** A policy whose wishes are given. */
  private static final class Given extends SlotPlacement {
    private final Wish[] wishes;

    Given(Wish... wishes) {
      super("given", true);
      this.wishes = wishes;
    }

    @Override
    protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
      return wishes;
    }
  }

  @Test
  void aPolicyMayChooseAWishByWhatTheEarlierOnesGot() {
    for (int volume = 0; volume < view.volumeCount(); volume += 2) {
      view.setFreeBytes(volume, 0);
    }
    SlotFiller filler = filler(request(2), 2);

    assertThat(filler.fill(FAST)).isTrue();
    Choice first = filler.decision("by hand").choices().get(0);
    assertThat(first.given()).isEqualTo(GivenUp.TIER);
    assertThat(filler.fill(SLOW)).isTrue();
    assertThat(filler.decision("by hand").policy()).isEqualTo("by hand");
    assertThat(filler.decision("by hand").choices())
        .hasSize(2)
        .extracting(choice -> view.rackOfNode(view.nodeOfVolume(choice.volume())))
        .doesNotHaveDuplicates();
  }

  @Test
  void fillingSaysWhenNoVolumeTakesTheBlock() {
    SlotFiller filler = filler(request(5), 5);
    for (int node = 0; node < view.nodeCount(); node++) {
      assertThat(filler.fill(FAST)).isTrue();
    }
    assertThat(filler.fill(FAST)).isFalse();
    assertThat(filler.decision("by hand").choices()).hasSize(view.nodeCount());
  }

  @Test
  void moreSlotsThanMissingReplicasAreRefused() {
    SlotFiller filler = filler(request(1), 1);
    filler.fill(FAST);
    assertThatThrownBy(() -> filler.fill(FAST))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all 1 slots");
    assertThatThrownBy(() -> filler(request(0, 0, 2), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 exist");
  }

  @Test
  void matchingTellsWhatIsMissing() {
    Wish[] wishes = {FAST, SLOW, SLOW};
    int[] volumes = {5, ClusterView.NONE, 1};

    assertThat(ReplicaMatching.fulfilled(volumes, wishes, view)).containsExactly(false, true, true);
    assertThat(ReplicaMatching.wishOfReplica(volumes, wishes, view)).containsExactly(1, -1, 2);
  }

  @Test
  void theFitOfOneBlockFindsAVolumeForWhatIsMissing() {
    Wish[] wishes = {FAST, SLOW};
    LayoutFit fit = new LayoutFit(new Given(wishes), FILE, new int[] {1, 3}, wishes, view);

    assertThat(fit.openWishes()).containsExactly(0);
    assertThat(fit.tiersOf(0, view.tiers())).isEqualTo(Wish.bit(0));
    int found =
        fit.find(0, new int[] {1}, BLOCK_BYTES, NodeSet.EMPTY, view, new SplittableRandom(1))
            .orElseThrow();
    assertThat(view.tierOfVolume(found)).isZero();
    assertThat(view.rackOfNode(view.nodeOfVolume(found))).isEqualTo(1);
  }

  @Test
  void aPolicyWithTooFewOrTooManyWishesFailsByName() {
    SplittableRandom random = new SplittableRandom(1);
    for (SlotPlacement wrong : List.of(new Given(FAST), new Given(FAST, SLOW, SLOW))) {
      assertThatThrownBy(() -> wrong.place(request(2), view, random))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageMatching("given has [13] wishes for 2 replicas");
      assertThatThrownBy(() -> wrong.chooseExcess(new int[] {0, 2, 4}, FILE, 2, view))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> wrong.fit(FILE, new int[] {0, 2}, 2, view))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aPolicyWithoutAWishFailsByName() {
    SplittableRandom random = new SplittableRandom(1);
    for (SlotPlacement wrong : List.of(new Given(FAST, null), new Given((Wish[]) null))) {
      assertThatThrownBy(() -> wrong.place(request(2), view, random))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("given has no wish for some of 2 replicas");
    }
  }

  @Test
  void aWishForNoTierAtAllIsRefused() {
    assertThatThrownBy(() -> Wish.inTiers(0, Slot.ANY, Spread.ANYWHERE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one tier");
  }
}
