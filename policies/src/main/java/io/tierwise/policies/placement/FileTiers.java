package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.FileView;

/**
 * The tiers that hold a whole copy of a file under the tier-aware and the hybrid policy, of those
 * that count ({@link TierTable#countedCount}).
 */
final class FileTiers {
  private FileTiers() {}

  /**
   * The intermediate tier of a file, or the slowest when there is none: drawn for the file and not
   * for the block, so that the tier holds all its blocks.
   */
  static int middle(FileView file, TierTable tiers) {
    int count = tiers.countedCount();
    return count > 2 ? tiers.counted(1 + FileHash.below(count - 2, file)) : slowest(tiers);
  }

  /** The tier of the {@code i}-th copy, fastest first: fast, intermediate, slow, slow, ... */
  static int fastestFirst(int i, int middle, TierTable tiers) {
    return i == 0 ? fastest(tiers) : i == 1 ? middle : slowest(tiers);
  }

  static int fastest(TierTable tiers) {
    return tiers.counted(0);
  }

  static int slowest(TierTable tiers) {
    return tiers.counted(tiers.countedCount() - 1);
  }
}
