package io.tierwise.policies.placement;

import static io.tierwise.policies.placement.Clusters.newBlock;
import static io.tierwise.policies.placement.Clusters.nodesOf;
import static io.tierwise.policies.placement.Clusters.racksOf;
import static io.tierwise.policies.placement.Clusters.regionsOf;
import static io.tierwise.policies.placement.Clusters.request;
import static io.tierwise.policies.placement.Clusters.threeTiers;
import static io.tierwise.policies.placement.Clusters.volumes;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionAwarePlacementTest extends PlacementContract {
  private final SplittableRandom random = new SplittableRandom(3);
  private final PlacementPolicy regionAware = new RegionAwarePlacement();

  @Override
  protected PlacementPolicy policy() {
    return regionAware;
  }

  @Override
  protected void assertRestored(int lost, int restored, ClusterView view) {
    assertThat(region(restored, view)).isEqualTo(region(lost, view));
  }

  @Override
  protected void assertKept(int[] three, int[] left, ClusterView view) {
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
      Set<Integer> regions = null;
      for (int block = 0; block < 20; block++) {
        // Another writer appends from elsewhere: the file stays in its regions.
        List<Integer> chosen = regionsOf(place(fileId, block, 3, block % 36, view), view);
        assertThat(chosen).doesNotHaveDuplicates();
        regions = regions == null ? new HashSet<>(chosen) : regions;
        assertThat(chosen).containsExactlyInAnyOrderElementsOf(regions);
        int writers = view.regionOfRack(view.rackOfNode(block % 36));
        if (regions.contains(writers)) {
          assertThat(chosen.get(0)).as("the writer waits for the nearest").isEqualTo(writers);
        }
      }
      regionSets.add(regions);
    }
    assertThat(regionSets).as("files are spread over the regions").hasSizeGreaterThan(10);
  }

  private Place place(int fileId, int block, int replicas, int writer, ClusterView view) {
    return regionAware.place(request(new FileView(fileId, block), replicas, writer), view, random);
  }

  /** Replicas in each region, by name. */
  private static Map<String, Integer> byName(int[] volumes, ClusterView view) {
    Map<String, Integer> counts = new TreeMap<>();
    for (int volume : volumes) {
      counts.merge(view.regionName(region(volume, view)), 1, Integer::sum);
    }
    return counts;
  }

  /** A cluster of some of six regions, as after a restart before all have reported. */
  private static ArrayClusterView of(String... regions) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(threeTiers());
    for (String region : regions) {
      for (int i = 0; i < 6; i++) {
        int node = builder.addNode(region + "-node" + i, region + "/rack" + i % 3, region);
        builder.addVolume(node, 2, Clusters.FREE_BYTES);
      }
    }
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 7})
  void eachLossIsRestoredInTheRegionThatLostWhateverIsReportedFirst(int replicas) {
    ArrayClusterView view = of("A", "B", "C");
    for (int fileId = 1; fileId <= 60; fileId++) {
      int[] volumes = volumes(place(fileId, 0, replicas, fileId % 18, view));
      Map<String, Integer> wanted = byName(volumes, view);
      for (int step = 0; step < 12 && replicas > 1; step++) {
        shuffle(volumes);
        int[] left = Arrays.copyOf(volumes, replicas - 1);
        FileView file = new FileView(fileId, 0, replicas);
        Place repair =
            regionAware.place(request(file, 1, view.nodeOfVolume(left[0]), left), view, random);
        volumes[replicas - 1] = volumes(repair)[0];
        assertThat(byName(volumes, view)).as("file %d, step %d", fileId, step).isEqualTo(wanted);
      }
    }
  }

  private void shuffle(int[] volumes) {
    for (int i = volumes.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int moved = volumes[i];
      volumes[i] = volumes[other];
      volumes[other] = moved;
    }
  }

  @Test
  void theRegionThatLostComesBeforeOthersWhenOnlyOneReplicaIsPlaced() {
    ArrayClusterView view = of("A", "B", "C", "D", "E");
    for (int fileId = 1; fileId <= 60; fileId++) {
      int[] three = volumes(place(fileId, 0, 3, fileId % 30, view));
      for (int lost = 0; lost < 3; lost++) {
        // A stranger stands outside the file's regions, from a time when one was down.
        int[] left = {three[(lost + 1) % 3], three[(lost + 2) % 3], outside(three, view)};
        FileView file = new FileView(fileId, 0, 3);
        int back = volumes(regionAware.place(request(file, 1, 0, left), view, random))[0];
        assertThat(region(back, view)).isEqualTo(region(three[lost], view));
      }
    }
  }

  private static int outside(int[] three, ClusterView view) {
    int volume = 0;
    while (byName(three, view).containsKey(view.regionName(region(volume, view)))) {
      volume++;
    }
    return volume;
  }

  @Test
  void aRegionThatGoesAndReturnsMovesOnlyItsOwnFilesAndTheyReturn() {
    ArrayClusterView all = of("A", "B", "C", "D", "E");
    ArrayClusterView without = of("A", "B", "D", "E");
    int moved = 0;
    for (int fileId = 1; fileId <= 100; fileId++) {
      Set<String> before = byName(volumes(place(fileId, 0, 2, 0, all)), all).keySet();
      Set<String> during = byName(volumes(place(fileId, 0, 2, 0, without)), without).keySet();
      if (before.contains("C")) {
        moved++;
        Set<String> kept = new HashSet<>(before);
        kept.remove("C");
        assertThat(during).containsAll(kept);
      } else {
        assertThat(during).isEqualTo(before);
      }
    }
    assertThat(moved).as("two of five regions a file").isBetween(25, 55);
  }

  @RepeatedTest(20)
  void theSecondRoundUsesAnotherRackOfEachRegion() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 2, 2, 3);
    Place decision = regionAware.place(newBlock(4, 0), view, random);
    assertThat(regionsOf(decision, view).subList(0, 2)).containsExactly(0, 1);
    assertThat(regionsOf(decision, view)).containsExactlyInAnyOrder(0, 0, 1, 1);
    assertThat(racksOf(decision, view)).doesNotHaveDuplicates();
  }

  @RepeatedTest(20)
  void oneRegionIsPlacedAsNetworkAware() {
    ArrayClusterView view = Clusters.uniform(threeTiers(), 1, 3, 4);
    Place decision = regionAware.place(newBlock(3, 7), view, random);
    List<Integer> racks = racksOf(decision, view);
    assertThat(nodesOf(decision, view).get(0)).isEqualTo(7);
    assertThat(racks.get(1)).isNotEqualTo(racks.get(0));
    assertThat(racks.get(2)).isEqualTo(racks.get(1));
  }
}
