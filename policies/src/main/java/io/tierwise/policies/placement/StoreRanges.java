package io.tierwise.policies.placement;

import java.util.Arrays;

/**
 * A union of disjoint store id ranges that can be drawn from uniformly. Reused for every slot of a
 * decision.
 */
final class StoreRanges {
  private int[] bounds = new int[8];
  private int boundCount;
  private int size;

  void clear() {
    boundCount = 0;
    size = 0;
  }

  /** Adds the ids from {@code start} to before {@code end}; nothing when there are none. */
  void add(int start, int end) {
    if (start >= end) {
      return;
    }
    if (boundCount == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * boundCount);
    }
    bounds[boundCount++] = start;
    bounds[boundCount++] = end;
    size += end - start;
  }

  int size() {
    return size;
  }

  /** The {@code position}-th id, from 0. */
  int at(int position) {
    int left = position;
    for (int i = 0; i < boundCount; i += 2) {
      int length = bounds[i + 1] - bounds[i];
      if (left < length) {
        return bounds[i] + left;
      }
      left -= length;
    }
    throw new IndexOutOfBoundsException(position + " of " + size);
  }
}
