package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A replica that misses its tier says which tier and why. */
class FallbackReasonTest {
  private static final TierTable TIERS = Clusters.tiers("fast", "slow");

  /** Fast volumes on the first {@code fastNodes} nodes, slow ones on all; two racks in turns. */
  private static ArrayClusterView view(int fastNodes, int nodes, boolean fastInOneRack) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    for (int i = 0; i < nodes; i++) {
      boolean fast = i < fastNodes;
      String rack = fast && fastInOneRack ? "rack0" : "rack" + i % 2;
      int node = builder.addNode("node" + i, rack, "region");
      if (fast) {
        builder.addVolume(node, 0, Clusters.FREE_BYTES);
      }
      builder.addVolume(node, 1, Clusters.FREE_BYTES);
    }
    return builder.build();
  }

  private static List<Refusal> reasons(ClusterView view, int replicas) {
    Place decision =
        LayoutPlacement.of("3 x fast", TIERS)
            .place(newBlock(replicas, ClusterView.NONE), view, new SplittableRandom(7));
    for (Choice choice : decision.choices()) {
      boolean missed = view.tierOfVolume(choice.volume()) != 0;
      assertThat(choice.missedTier()).isEqualTo(missed ? 0 : ClusterView.NONE);
      assertThat(choice.reason() != Refusal.NONE).isEqualTo(missed);
    }
    return decision.choices().stream().map(Choice::reason).toList();
  }

  @Test
  void whatGotItsTierHasNoReason() {
    assertThat(reasons(view(4, 8, false), 3))
        .containsExactly(Refusal.NONE, Refusal.NONE, Refusal.NONE);
  }

  @Test
  void aTierOfFewerNodesThanReplicasHasNoFreeNode() {
    assertThat(reasons(view(2, 8, false), 3))
        .containsExactly(Refusal.NONE, Refusal.NONE, Refusal.NO_NODE);
  }

  @Test
  void aTierInOneRackMeetsTheRackLimit() {
    assertThat(reasons(view(4, 8, true), 3))
        .containsExactly(Refusal.NONE, Refusal.NONE, Refusal.RACK_LIMIT);
  }

  /** Its rack is full by then, and has nothing to give in any case. */
  @Test
  void aTierWithoutAFreeNodeIsNotHeldBackByItsFullRack() {
    assertThat(reasons(view(2, 8, true), 3))
        .containsExactly(Refusal.NONE, Refusal.NONE, Refusal.NO_NODE);
  }

  @Test
  void theReasonIsThatOfTheNodesWithoutAReplica() {
    ArrayClusterView view = view(3, 9, false);
    for (Refusal refusal : List.of(Refusal.OVERLOADED, Refusal.STALE, Refusal.SLOW)) {
      view.refuseNode(1, refusal);
      assertThat(reasons(view, 3)).containsExactly(Refusal.NONE, Refusal.NONE, refusal);
    }
  }

  @Test
  void aTierWithoutRoomIsFull() {
    ArrayClusterView view = view(3, 9, false);
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.tierOfVolume(volume) == 0) {
        view.setFreeBytes(volume, Clusters.BLOCK_BYTES - 1);
      }
    }
    assertThat(reasons(view, 3)).containsExactly(Refusal.FULL, Refusal.FULL, Refusal.FULL);
    assertThat(
            LayoutPlacement.of("3 x fast", TIERS)
                .place(newBlock(1, ClusterView.NONE), view, new SplittableRandom(7))
                .describe(view))
        .endsWith("fast is full)");
  }

  @Test
  void aFullTierStaysFullWhenItsLastNodesWithRoomAreRefused() {
    for (int left = 1; left <= 3; left++) {
      ArrayClusterView view = view(left, 9, false);
      for (int node = 0; node < left; node++) {
        view.refuseNode(node, Refusal.STALE);
      }
      for (int full = 0; full <= left; full++) {
        view.noteAbsence(0, Refusal.FULL);
      }
      assertThat(reasons(view, 3)).containsExactly(Refusal.FULL, Refusal.FULL, Refusal.FULL);
    }
  }

  @Test
  void aTierWhoseNodesAreMostlyRefusedIsNotFull() {
    ArrayClusterView view = view(3, 9, false);
    for (int node = 0; node < 3; node++) {
      view.refuseNode(node, Refusal.STALE);
    }
    view.noteAbsence(0, Refusal.FULL);
    assertThat(reasons(view, 3)).containsExactly(Refusal.STALE, Refusal.STALE, Refusal.STALE);
  }
}
