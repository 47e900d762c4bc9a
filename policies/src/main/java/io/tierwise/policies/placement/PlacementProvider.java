package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.text.PolicyProvider;
import java.util.Map;

/**
 * Makes a placement policy from its text. Found on the class path by {@code
 * META-INF/services/io.tierwise.policies.placement.PlacementProvider}.
 */
public interface PlacementProvider
    extends PolicyProvider<PlacementPolicy, PlacementProvider.Context> {
  /**
   * The context in which a text is read.
   *
   * @param tiers the tier table that the policy is for
   * @param namedLayouts layout name to layout text
   */
  record Context(TierTable tiers, Map<String, String> namedLayouts) {}
}
