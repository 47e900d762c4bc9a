package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;

/**
 * hatS's tier-aware placement: a whole copy of the file in the fastest tier, one in the slowest,
 * one in an intermediate tier drawn for the file; at most one replica on a node. Replicas beyond
 * the third go to the slowest tier.
 *
 * <p>Source: DerbyhatS, 4.1.3.2. The first replica stands in the fast tier because it is the source
 * of the pipeline's second. Deviation: the paper ignores racks, and 12% of its blocks stand in one
 * (4.3); here racks are limited as HDFS limits them, because a NameNode would copy such a block
 * again. {@code rack-safe=false} gives the paper's rule. Own: replicas beyond the third, and the
 * slowest tier for them, which has the most room.
 */
public final class TierAwarePlacement extends SlotPlacement {
  public TierAwarePlacement(boolean rackSafe) {
    super(PolicyText.withRackSafe(PolicyText.TIER_AWARE, rackSafe), rackSafe);
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    TierTable tiers = view.tiers();
    int middle = FileTiers.middle(request.file(), tiers);
    Wish[] wishes = new Wish[total];
    for (int i = 0; i < total; i++) {
      // Fast, slow, intermediate: without a third tier the intermediate one is the slowest.
      int tier = i == 0 ? FileTiers.fastest(tiers) : i == 2 ? middle : FileTiers.slowest(tiers);
      wishes[i] = Wish.inTier(tier, Spread.ANYWHERE);
    }
    return wishes;
  }
}
