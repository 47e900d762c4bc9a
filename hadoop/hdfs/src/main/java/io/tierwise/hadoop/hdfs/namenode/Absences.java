package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.Refusal;
import io.tierwise.core.view.RefusalCounts;
import java.util.Arrays;

/** Why volumes stand in no cell of an index, by tier. */
final class Absences {
  private final RefusalCounts[] byTier;

  Absences(int tierCount) {
    byTier = new RefusalCounts[tierCount];
    Arrays.setAll(byTier, tier -> new RefusalCounts());
  }

  void note(int tier, Refusal reason) {
    if (tier != TierTable.NONE) {
      byTier[tier].note(reason);
    }
  }

  RefusalCounts of(int tier) {
    return byTier[tier];
  }
}
