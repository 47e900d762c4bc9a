package com.example.policies;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.placement.PlacementContract;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.List;
import java.util.stream.Stream;

/** The engine keeps the whole contract: a lost copy comes back in the tier that it was in. */
class CopyPerTierPlacementTest extends PlacementContract {
  private static final List<DeviceClass> CLASSES =
      Stream.of("nvme", "sata", "disk").map(DeviceClass::unmeasured).toList();

  @Override
  protected PlacementPolicy policy() {
    return PlacementPolicies.parse("copy-per-tier", TierTable.of(CLASSES));
  }
}
