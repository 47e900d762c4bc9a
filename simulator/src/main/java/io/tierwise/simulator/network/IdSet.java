package io.tierwise.simulator.network;

import java.util.Arrays;

/** Small ids, each once, in the order in which they were first added since the last clearing. */
final class IdSet {
  int[] ids = new int[64];
  int size;
  private boolean[] isIn = new boolean[64];

  void add(int id) {
    if (id >= isIn.length) {
      isIn = Arrays.copyOf(isIn, Math.max(id + 1, isIn.length + (isIn.length >> 2)));
    }
    if (!isIn[id]) {
      isIn[id] = true;
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, 2 * size);
      }
      ids[size++] = id;
    }
  }

  void clear() {
    for (int i = 0; i < size; i++) {
      isIn[ids[i]] = false;
    }
    size = 0;
  }
}
