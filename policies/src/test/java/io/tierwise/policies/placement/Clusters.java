package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.util.Arrays;
import java.util.List;

/** Small clusters and requests for the tests of this package. */
final class Clusters {
  static final long BLOCK_BYTES = 128L << 20;
  static final long FREE_BYTES = 1L << 40;

  private Clusters() {}

  static TierTable tiers(String... names) {
    return TierTable.of(Arrays.stream(names).map(DeviceClass::unmeasured).toList());
  }

  static TierTable threeTiers() {
    return tiers("nvme", "sata", "disk");
  }

  /** Racks of equal nodes, each with one volume of each of the tiers; racks dealt to regions. */
  static ArrayClusterView uniform(
      TierTable tiers, int regionCount, int racksPerRegion, int nodesPerRack) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    for (int region = 0; region < regionCount; region++) {
      for (int rack = 0; rack < racksPerRegion; rack++) {
        for (int i = 0; i < nodesPerRack; i++) {
          String rackName = "rack" + region + "-" + rack;
          int node = builder.addNode(rackName + "-node" + i, rackName, "region" + region);
          for (int tier = 0; tier < tiers.count(); tier++) {
            builder.addVolume(node, tier, FREE_BYTES);
          }
        }
      }
    }
    return builder.build();
  }

  /** Two racks of two nodes in each region, each node with a volume of each tier. */
  static ArrayClusterView ofRegions(TierTable tiers, String... names) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    for (String region : names) {
      for (int i = 0; i < 4; i++) {
        int node = builder.addNode(region + "-node" + i, region + "-rack" + i / 2, region);
        for (int tier = 0; tier < tiers.count(); tier++) {
          builder.addVolume(node, tier, FREE_BYTES);
        }
      }
    }
    return builder.build();
  }

  /** A new block of file 1 for a writer on {@code node}. */
  static PlacementRequest newBlock(int replicaCount, int node) {
    return request(new FileView(1, 0), replicaCount, node);
  }

  static PlacementRequest request(FileView file, int replicaCount, int node, int... existing) {
    return new PlacementRequest(
        file,
        BLOCK_BYTES,
        replicaCount,
        node,
        ClusterView.NONE,
        existing,
        NodeSet.EMPTY,
        Avoid.NOTHING);
  }

  static int[] volumes(Place decision) {
    return decision.choices().stream().mapToInt(Place.Choice::volume).toArray();
  }

  static List<Integer> tiersOf(Place decision, ClusterView view) {
    return Arrays.stream(volumes(decision)).map(view::tierOfVolume).boxed().toList();
  }

  static List<Integer> nodesOf(Place decision, ClusterView view) {
    return Arrays.stream(volumes(decision)).map(view::nodeOfVolume).boxed().toList();
  }

  static List<Integer> racksOf(Place decision, ClusterView view) {
    return nodesOf(decision, view).stream().map(view::rackOfNode).toList();
  }

  static List<Integer> regionsOf(Place decision, ClusterView view) {
    return racksOf(decision, view).stream().map(view::regionOfRack).toList();
  }

  /** A volume of {@code tier} in {@code rack}, the {@code position}-th of them. */
  static int volume(ClusterView view, int tier, int rack, int position) {
    return view.volumeIn(view.cellStart(tier, rack) + position, 0, 0);
  }
}
