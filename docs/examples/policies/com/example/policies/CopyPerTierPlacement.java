package com.example.policies;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementProvider;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.SlotPlacement;
import io.tierwise.policies.placement.Wish;
import io.tierwise.policies.text.SpecReader;

/** A copy in each tier, the fastest at the writer, all in different racks; the rest in the last. */
public final class CopyPerTierPlacement extends SlotPlacement {
  private static final String NAME = "copy-per-tier";

  CopyPerTierPlacement() {
    super(NAME, true);
  }

  @Override
  protected Wish[] wishes(PlacementRequest asked, int total, ClusterView view) {
    TierTable tiers = view.tiers();
    int last = tiers.countedCount() - 1;
    Wish[] wishes = new Wish[total];
    for (int i = 0; i < total; i++) {
      Spread place = i == 0 ? Spread.WRITER_NODE : Spread.OTHER_RACK;
      wishes[i] = Wish.inTier(tiers.counted(Math.min(i, last)), place);
    }
    return wishes;
  }

  /** Makes it from the text {@code copy-per-tier}. */
  public static final class Provider implements PlacementProvider {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String usage() {
      return NAME;
    }

    @Override
    public String summary() {
      return "a copy in each tier";
    }

    @Override
    public PlacementPolicy make(SpecReader settings, Context context) {
      return new CopyPerTierPlacement();
    }
  }
}
