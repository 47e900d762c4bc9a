package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.tiersOf;
import static io.tierwise.policies.placement.Clusters.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import io.tierwise.policies.placement.PlacementRequest.Pledge;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;

/** Copies on their way and replicas in maintenance are not made a second time. */
class OpenWishesTest {
  private static final FileView THREE_REPLICAS = new FileView(1, 0, 3);

  private final ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);
  private final SplittableRandom random = new SplittableRandom();
  private final PlacementPolicy policy =
      PlacementPolicies.parse("layout:1 x nvme + 1 x sata + 1 x disk", threeTiers());
  private final int live = volume(view, 2, 0, 0);

  private List<Integer> tiers(FileView file, int wanted, int[] existing, Pledge... pledges) {
    PlacementRequest request =
        new PlacementRequest(
            file,
            Clusters.BLOCK_BYTES,
            wanted,
            ClusterView.NONE,
            ClusterView.NONE,
            existing,
            NodeSet.EMPTY,
            Avoid.NOTHING,
            ClusterView.NONE,
            new int[0],
            List.of(pledges),
            PlacementRequest.Allowance.UNLIMITED);
    return tiersOf(policy.place(request, view, random), view);
  }

  private Pledge in(boolean coming, int... tiers) {
    int[] volumes = new int[tiers.length];
    for (int i = 0; i < tiers.length; i++) {
      volumes[i] = volume(view, tiers[i], 1, 0);
    }
    return new Pledge(volumes, coming);
  }

  @RepeatedTest(10)
  void tierOfACopyOnItsWayIsNotAskedForAgain() {
    assertThat(tiers(THREE_REPLICAS, 1, new int[] {live}, in(true, 0))).containsExactly(1);
    assertThat(tiers(THREE_REPLICAS, 1, new int[] {live}, in(true, 1))).containsExactly(0);
    // On a node with all tiers it went where the first open wish was.
    assertThat(tiers(THREE_REPLICAS, 1, new int[] {live}, in(true, 0, 1, 2))).containsExactly(1);
  }

  @RepeatedTest(10)
  void replicaInMaintenanceStandsForItsTierOnlyWhereItsNodeHasNoOther() {
    assertThat(tiers(THREE_REPLICAS, 1, new int[] {live}, in(false, 0))).containsExactly(1);
    assertThat(tiers(THREE_REPLICAS, 1, new int[] {live}, in(false, 0, 1))).containsExactly(0);
  }

  @RepeatedTest(10)
  void noPledgeStandsInTheWayOfAReplicaThatIsWanted() {
    assertThat(tiers(THREE_REPLICAS, 2, new int[] {live}, in(true, 0), in(true, 1)))
        .containsExactly(0, 1);
    assertThat(tiers(THREE_REPLICAS, 2, new int[0], in(true, 1))).containsExactly(0, 2);
    FileView unknown = new FileView(1, 0);
    assertThat(tiers(unknown, 1, new int[] {live}, in(true, 0))).containsExactly(0);
  }
}
