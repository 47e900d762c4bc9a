package io.tierwise.policies.placement;

import io.tierwise.core.view.FileView;

/** The tiers that hold a whole copy of a file under the tier-aware and the hybrid policy. */
final class FileTiers {
  private FileTiers() {}

  /**
   * The intermediate tier of a file, or the slowest when there is none: drawn for the file and not
   * for the block, so that the tier holds all its blocks.
   */
  static int middle(FileView file, int tierCount) {
    return tierCount > 2 ? 1 + FileHash.below(tierCount - 2, file) : tierCount - 1;
  }

  /** The tier of the {@code i}-th copy, fastest first: fast, intermediate, slow, slow, ... */
  static int fastestFirst(int i, int middle, int tierCount) {
    return i == 0 ? 0 : i == 1 ? middle : tierCount - 1;
  }
}
