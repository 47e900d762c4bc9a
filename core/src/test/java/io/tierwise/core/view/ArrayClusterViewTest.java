package io.tierwise.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ArrayClusterViewTest {
  private static final TierTable TIERS =
      TierTable.of(
          List.of(
              DeviceClass.unmeasured("nvme"),
              DeviceClass.unmeasured("sata"),
              DeviceClass.unmeasured("disk")));

  @Property(tries = 300)
  void everyStoreStandsInTheCellOfItsTierAndRack(
      @ForAll @IntRange(max = 30) int nodeCount, @ForAll long seed) {
    ArrayClusterView view = random(nodeCount, seed);
    int stores = 0;
    for (int tier = 0; tier < TIERS.count(); tier++) {
      for (int rack = 0; rack < view.rackCount(); rack++) {
        for (int id = view.cellStart(tier, rack); id < view.cellStart(tier, rack + 1); id++) {
          assertThat(id).as("ids are contiguous").isEqualTo(stores++);
          assertThat(view.tierOfStore(id)).isEqualTo(tier);
          assertThat(view.rackOfNode(view.nodeOfStore(id))).isEqualTo(rack);
          assertThat(view.storeOfNode(view.nodeOfStore(id), tier)).isEqualTo(id);
        }
      }
    }
    assertThat(stores).isEqualTo(view.storeCount());
  }

  @Property(tries = 300)
  void racksOfARegionAreContiguous(@ForAll @IntRange(max = 30) int nodeCount, @ForAll long seed) {
    ArrayClusterView view = random(nodeCount, seed);
    int racks = 0;
    for (int region = 0; region < view.regionCount(); region++) {
      for (int rack = view.rackStart(region); rack < view.rackStart(region + 1); rack++) {
        assertThat(view.regionOfRack(rack)).isEqualTo(region);
        assertThat(rack).isEqualTo(racks++);
        assertThat(view.rackName(rack)).startsWith(view.regionName(region));
      }
    }
    assertThat(racks).isEqualTo(view.rackCount());
  }

  @Property(tries = 300)
  void everyVolumeOfATierIsReachedThroughItsStore(
      @ForAll @IntRange(max = 30) int nodeCount, @ForAll long seed) {
    ArrayClusterView view = random(nodeCount, seed);
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      int tier = view.tierOfVolume(volume);
      int store = tier < 0 ? -1 : view.storeOfNode(view.nodeOfVolume(volume), tier);
      boolean reached = false;
      for (int draw = 0; store >= 0 && draw < view.volumeCount(); draw++) {
        reached |= view.volumeIn(store, 1, draw) == volume;
      }
      assertThat(reached).isEqualTo(tier >= 0);
    }
  }

  @Example
  void fullAndRefusedVolumesAreNotPicked() {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    int node = builder.addNode("node", "rack", "region");
    int first = builder.addVolume(node, 0, 100);
    int second = builder.addVolume(node, 0, 200);
    ArrayClusterView view = builder.build();
    int store = view.storeOfNode(node, 0);
    assertThat(view.volumeIn(store, 100, 0)).isEqualTo(first);
    assertThat(view.volumeIn(store, 101, 0)).isEqualTo(second);
    assertThat(view.volumeIn(store, 201, 0)).isEqualTo(ClusterView.NONE);
    view.refuseVolume(second, Refusal.SLOW);
    assertThat(view.volumeIn(store, 101, 1)).isEqualTo(ClusterView.NONE);
    view.setFreeBytes(first, 101);
    assertThat(view.volumeIn(store, 101, 1)).isEqualTo(first);
    assertThat(view.takes(first, 101)).isTrue();
    view.refuseNode(node, Refusal.STALE);
    assertThat(view.check(store, 1)).isEqualTo(Refusal.STALE);
    assertThat(view.takes(first, 101)).isFalse();
  }

  @Example
  void aRackBelongsToOneRegion() {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    builder.addNode("a", "rack", "east");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.addNode("b", "rack", "west"))
        .withMessage("rack rack is in region east, not in west");
  }

  private static ArrayClusterView random(int nodeCount, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    for (int i = 0; i < nodeCount; i++) {
      String region = "region" + random.nextInt(3);
      int node = builder.addNode("node" + i, region + "/rack" + random.nextInt(4), region);
      for (int left = random.nextInt(5); left > 0; left--) {
        builder.addVolume(node, random.nextInt(-1, TIERS.count()), 10);
      }
    }
    return builder.build();
  }
}
