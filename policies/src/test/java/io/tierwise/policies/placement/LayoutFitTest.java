package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.LayoutFit.Wanted;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The wishes that stored replicas are compared with are those for an empty cluster. */
class LayoutFitTest {
  private static final int NVME = 0;
  private static final int SATA = 1;
  private static final int DISK = 2;

  private final ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);

  private static PlacementPolicy policy(String specification) {
    return PlacementPolicies.parse(specification, threeTiers());
  }

  private static FileView block(long index) {
    return new FileView(1, index, 3);
  }

  private LayoutFit fit(String specification, long index, int... volumes) {
    return policy(specification).fit(block(index), volumes, 3, view).orElseThrow();
  }

  private int in(int tier, int rack) {
    return volume(view, tier, rack, 0);
  }

  @RepeatedTest(20)
  void whatThePolicyPlacesInAnEmptyClusterFits() {
    for (String specification :
        List.of(
            "hybrid",
            "hybrid:racks=3",
            "tier-aware",
            "region-aware",
            "random",
            "network-aware:tiers=sata",
            "zone-ratio:0.5",
            "layout:1 x nvme + 2 x disk")) {
      for (long index = 0; index < 4; index++) {
        FileView file = block(index);
        Place decision =
            policy(specification).place(Clusters.request(file, 3, 0), view, new SplittableRandom());
        int[] volumes = decision.choices().stream().mapToInt(Choice::volume).toArray();
        assertThat(fit(specification, index, volumes).allFit())
            .as("%s, block %d", specification, index)
            .isTrue();
      }
    }
  }

  @Test
  void aReplicaOffItsTierIsToldWhatItShouldHaveBeen() {
    LayoutFit fit = fit("layout:2 x nvme + 1 x disk", 0, in(NVME, 0), in(SATA, 1), in(DISK, 2));
    assertThat(fit.fits(0)).isTrue();
    assertThat(fit.fits(1)).isFalse();
    assertThat(fit.fits(2)).isTrue();
    assertThat(fit.allFit()).isFalse();
    assertThat(fit.wantedOfReplicas())
        .extracting(Wanted::tiers)
        .containsExactly(List.of(NVME), List.of(NVME), List.of(DISK));
  }

  @Test
  void aReplicaThatIsMissingIsNoReplicaOffItsTier() {
    assertThat(fit("layout:2 x nvme + 1 x disk", 0, in(NVME, 0), in(DISK, 2)).allFit()).isTrue();
  }

  /** The tier is what the layout is about; HDFS itself spreads a block no further than it needs. */
  @Test
  void aVolumeOfTheTierInARackThatHasAReplicaWillDo() {
    for (int rack = 1; rack < 3; rack++) {
      for (int node = 0; node < 4; node++) {
        view.setFreeBytes(volume(view, NVME, rack, node), 0);
      }
    }
    int[] staying = {in(NVME, 0), in(DISK, 1)};
    LayoutFit fit =
        fit(
            "layout:2 x nvme on different racks + 1 x disk",
            0,
            staying[0],
            staying[1],
            in(SATA, 2));
    assertThat(fit.openWishes()).containsExactly(1);
    int found =
        fit.find(1, staying, Clusters.BLOCK_BYTES, NodeSet.EMPTY, view, new SplittableRandom(7))
            .orElseThrow();
    assertThat(view.tierOfVolume(found)).isEqualTo(NVME);
    assertThat(view.rackOfNode(view.nodeOfVolume(found))).isZero();
  }

  @Test
  void replicasBeyondTheWantedOnesMayStandAnywhere() {
    int[] four = {in(NVME, 0), in(DISK, 1), in(DISK, 2), volume(view, DISK, 0, 1)};
    assertThat(fit("layout:1 x nvme + 2 x disk", 0, four).allFit()).isTrue();
    four[3] = volume(view, SATA, 0, 1);
    assertThat(fit("layout:1 x nvme + 2 x disk", 0, four).allFit()).isTrue();
    four[0] = volume(view, SATA, 0, 2);
    assertThat(fit("layout:1 x nvme + 2 x disk", 0, four).allFit()).isFalse();
  }

  @Test
  void aRatioOverAFileKnowsTheZoneOfEachBlockEvenWhenAllItsReplicasFellBack() {
    int[] onDisk = {in(DISK, 0), in(DISK, 1), in(DISK, 2)};
    assertThat(fit("zone-ratio:nvme=0.5,disk=0.5", 0, onDisk).allFit()).isFalse();
    assertThat(fit("zone-ratio:nvme=0.5,disk=0.5", 1, onDisk).allFit()).isTrue();
    assertThat(fit("zone-ratio:nvme=0.5,disk=0.5,scope=directory", 0, onDisk).allFit()).isTrue();
  }

  @Test
  void aReplicaOnAVolumeOfNoKnownPlaceDoesNotFit() {
    assertThat(fit("layout:3 x disk", 0, in(DISK, 0), ClusterView.NONE).fits(1)).isFalse();
  }

  @Test
  void aPolicyThatDoesNotTellItsWishesIsNotJudged() {
    PlacementPolicy foreign =
        new PlacementPolicy() {
          @Override
          public String name() {
            return "foreign";
          }

          @Override
          public Place place(PlacementRequest request, ClusterView seen, RandomGenerator random) {
            throw new UnsupportedOperationException();
          }

          @Override
          public int[] chooseExcess(int[] volumes, FileView file, int wanted, ClusterView seen) {
            return new int[0];
          }
        };
    assertThat(foreign.fit(block(0), new int[] {in(DISK, 0)}, 3, view)).isEmpty();
  }
}
