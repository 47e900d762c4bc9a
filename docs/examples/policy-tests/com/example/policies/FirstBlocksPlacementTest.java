package com.example.policies;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementContract;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.List;
import java.util.stream.Stream;

class FirstBlocksPlacementTest extends PlacementContract {
  private static final List<DeviceClass> CLASSES =
      Stream.of("nvme", "sata", "disk").map(DeviceClass::unmeasured).toList();

  @Override
  protected PlacementPolicy policy() {
    return PlacementPolicies.parse("first-blocks:blocks=2", TierTable.of(CLASSES));
  }

  // Copies may go anywhere.
  @Override
  protected void assertRestored(int lost, int restored, ClusterView view) {}

  @Override
  protected void assertKept(int[] three, int[] left, ClusterView view) {}
}
