package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Ratio;

/**
 * A placement policy that shares a data set's blocks out among zones, sets of tiers, as hosts see
 * it that choose the shares while files are there.
 */
public interface ZoneShares {
  /** The policy's specification in canonical form. */
  String name();

  /** As {@link PlacementPolicy#countsOverDirectory}. */
  boolean countsOverDirectory();

  int zoneCount();

  /** The zone, in the order of the specification, that the tier belongs to; -1 for none. */
  int zoneOfTier(int tier);

  /** The names of a zone's tiers, joined by +. */
  String zoneName(int zone, TierTable tiers);

  /** The share of the first zone. */
  Ratio firstShare();

  /**
   * The same policy with another share of the first of its two zones.
   *
   * @throws IllegalStateException when there are not two
   */
  PlacementPolicy withFirstShare(Ratio share, TierTable tiers);
}
