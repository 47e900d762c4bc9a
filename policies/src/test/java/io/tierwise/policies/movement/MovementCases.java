package io.tierwise.policies.movement;

import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.Power;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.List;

/** Clusters and blocks for the tests of this package. */
final class MovementCases {
  static final long BLOCK_BYTES = 128L << 20;
  static final long FREE_BYTES = 1L << 40;
  static final int SSD = 0;
  static final int DISK = 1;
  static final TierTable TIERS =
      TierTable.of(
          List.of(
              new DeviceClass("ssd", 500e6, 400e6, Double.NaN, 0, Double.NaN, new Power(1, 3)),
              new DeviceClass("disk", 150e6, 100e6, Double.NaN, 0, Double.NaN, new Power(5, 8))));

  private MovementCases() {}

  /** Nodes with one SSD and one disk each; the volumes of node n are 2 n and 2 n + 1. */
  static ArrayClusterView mixedNodes(int racks, int nodesPerRack) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    for (int i = 0; i < racks * nodesPerRack; i++) {
      int node = builder.addNode("node" + i, "rack" + i / nodesPerRack, "region");
      builder.addVolume(node, SSD, FREE_BYTES);
      builder.addVolume(node, DISK, FREE_BYTES);
    }
    return builder.build();
  }

  /** Nodes with one volume each, in turn an SSD and a disk; volume n is on node n. */
  static ArrayClusterView nodesOfOneKind(int racks, int nodesPerRack) {
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(TIERS);
    for (int i = 0; i < racks * nodesPerRack; i++) {
      int node = builder.addNode("node" + i, "rack" + i / nodesPerRack, "region");
      builder.addVolume(node, i % 2 == 0 ? SSD : DISK, FREE_BYTES);
    }
    return builder.build();
  }

  static MovementRequest block(String policy, long file, long index, int... volumes) {
    return block(policy, new EngineRules.Obedient(), file, index, volumes);
  }

  static MovementRequest block(
      String policy, EngineRules rules, long file, long index, int... volumes) {
    return new MovementRequest(
        PlacementPolicies.parse(policy, TIERS),
        new FileView(file, index, volumes.length),
        BLOCK_BYTES,
        volumes,
        rules);
  }

  static List<Integer> targets(MovementPlan plan) {
    return plan.moves().stream().map(Move::to).toList();
  }
}
