package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.FileView;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Policies that name no tier decide on a table of which some tiers count just as they decide on a
 * table that has these tiers alone, which is what somebody would write and what a captured cluster
 * has in the simulator.
 */
class CountedTiersTest {
  private static final List<String> TYPES = List.of("ram", "nvdimm", "ssd", "disk", "archive");
  private static final int FILES = 60;

  @ParameterizedTest
  @CsvSource({
    "hybrid, 12",
    "hybrid, 14",
    "hybrid, 28",
    "hybrid, 29",
    "hybrid:racks=3, 12",
    "hybrid:racks=3, 28",
    "tier-aware, 12",
    "tier-aware, 28",
    "tier-aware, 29",
    "zone-ratio:0.3, 12",
    "zone-ratio:0.3, 28"
  })
  void decideAsByATableOfThemAlone(String policy, long counted) {
    List<String> names =
        TYPES.stream().filter(name -> (counted >>> TYPES.indexOf(name) & 1) != 0).toList();
    TierTable few = Clusters.tiers(names.toArray(new String[0]));
    TierTable all = Clusters.tiers(TYPES.toArray(new String[0])).counting(counted);
    ArrayClusterView ofFew = cluster(few, names);
    ArrayClusterView ofAll = cluster(all, names);
    PlacementPolicy byFew = PlacementPolicies.parse(policy, few);
    PlacementPolicy byAll = PlacementPolicies.parse(policy, all);
    assertThat(byAll.name()).isEqualTo(byFew.name());
    for (int file = 0; file < FILES; file++) {
      FileView asked = new FileView(1000 + file, file);
      PlacementRequest request = Clusters.request(asked, 3, file % ofFew.nodeCount());
      Place expected = byFew.place(request, ofFew, new SplittableRandom(file));
      Place decision = byAll.place(request, ofAll, new SplittableRandom(file));
      assertThat(Clusters.volumes(decision)).isEqualTo(Clusters.volumes(expected));
      assertThat(decision.choices()).allMatch(choice -> choice.given() == Place.GivenUp.NOTHING);
    }
  }

  /** Each node has one volume of each tier that is named. */
  private static ArrayClusterView cluster(TierTable tiers, List<String> names) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    for (int i = 0; i < 12; i++) {
      int node = builder.addNode("node" + i, "rack" + i / 3, "region");
      for (String name : names) {
        builder.addVolume(node, tiers.require(name).index(), Clusters.FREE_BYTES);
      }
    }
    return builder.build();
  }
}
