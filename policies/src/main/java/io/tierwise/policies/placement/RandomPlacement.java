package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import java.util.Arrays;

/**
 * Any store, each with the same chance: the baseline that knows neither speeds nor the writer.
 *
 * <p>Own. Racks are limited as HDFS limits them unless {@code rack-safe=false}.
 */
public final class RandomPlacement extends SlotPlacement {
  private static final Wish ANYWHERE = Wish.inTiers(Wish.ALL_TIERS, Slot.ANY, Spread.ANYWHERE);

  public RandomPlacement(boolean rackSafe) {
    super(PolicyText.withRackSafe(PolicyText.RANDOM, rackSafe), rackSafe);
  }

  @Override
  protected Wish[] wishes(PlacementRequest request, int total, ClusterView view) {
    Wish[] wishes = new Wish[total];
    Arrays.fill(wishes, ANYWHERE);
    return wishes;
  }
}
