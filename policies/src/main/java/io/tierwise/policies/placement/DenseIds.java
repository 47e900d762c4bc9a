package io.tierwise.policies.placement;

import java.util.Arrays;

/**
 * Numbers keys from 0 in the order of their first mention. Open addressing, because boxing the keys
 * of 512 replicas costs more than choosing among them.
 */
final class DenseIds {
  private static final int EMPTY = -1;

  private final long[] keys;
  private final int[] ids;
  private int count;

  /**
   * @param capacity how many distinct keys there may be
   */
  DenseIds(int capacity) {
    keys = new long[Integer.highestOneBit(Math.max(capacity, 1)) * 4];
    ids = new int[keys.length];
    Arrays.fill(ids, EMPTY);
  }

  /** The number of {@code key}, a new one when it was not mentioned before. */
  int of(long key) {
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & (keys.length - 1);
    while (ids[at] != EMPTY && keys[at] != key) {
      at = (at + 1) & (keys.length - 1);
    }
    if (ids[at] == EMPTY) {
      keys[at] = key;
      ids[at] = count++;
    }
    return ids[at];
  }

  /** Distinct keys so far. */
  int count() {
    return count;
  }
}
