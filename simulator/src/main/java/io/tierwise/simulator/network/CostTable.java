package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * The use of each resource along a path by a byte. Paths that cost the same share one entry: there
 * are many more paths than kinds of transfer. Ids are used again.
 */
final class CostTable {
  private static final int NONE = -1;

  /** Four numbers an entry, side by side: who looks at a path asks for two of them. */
  private static final int WORDS = 4;

  private static final int FIRST = 0;
  private static final int LENGTH = 1;
  private static final int USERS = 2;

  /** The next of the same bucket; for an unused id the next unused one of its length. */
  private static final int NEXT = 3;

  private double[] units = new double[64];
  private int[] entries = new int[16 * WORDS];
  private int[] buckets = filled(16);
  private int[] freeOfLength = {};
  private int used;
  private int unitsEnd;

  /** The id of these costs, which get one user more. */
  int take(double[] unitsPerByte, int pathLength) {
    int hash = hash(unitsPerByte, 0, pathLength);
    for (int id = buckets[hash & (buckets.length - 1)]; id != NONE; id = next(id)) {
      if (isSame(id, unitsPerByte, pathLength)) {
        entries[id * WORDS + USERS]++;
        return id;
      }
    }
    int id = newId(pathLength);
    System.arraycopy(unitsPerByte, 0, units, first(id), pathLength);
    entries[id * WORDS + USERS] = 1;
    link(id, hash);
    return id;
  }

  /** The costs lose a user. */
  void giveBack(int id) {
    if (--entries[id * WORDS + USERS] > 0) {
      return;
    }
    int bucket = hash(units, first(id), length(id)) & (buckets.length - 1);
    if (buckets[bucket] == id) {
      buckets[bucket] = next(id);
    } else {
      int before = buckets[bucket];
      while (next(before) != id) {
        before = next(before);
      }
      setNext(before, next(id));
    }
    setNext(id, freeOfLength[length(id)]);
    freeOfLength[length(id)] = id;
  }

  /** The place of the first of the costs; the others follow. */
  int first(int id) {
    return entries[id * WORDS + FIRST];
  }

  /** The number of costs: one for each resource of the path. */
  int length(int id) {
    return entries[id * WORDS + LENGTH];
  }

  private int next(int id) {
    return entries[id * WORDS + NEXT];
  }

  private void setNext(int id, int following) {
    entries[id * WORDS + NEXT] = following;
  }

  /** Units for each byte. */
  double units(int place) {
    return units[place];
  }

  private boolean isSame(int id, double[] unitsPerByte, int pathLength) {
    if (length(id) != pathLength) {
      return false;
    }
    int start = first(id);
    for (int i = 0; i < pathLength; i++) {
      if (units[start + i] != unitsPerByte[i]) {
        return false;
      }
    }
    return true;
  }

  private int newId(int pathLength) {
    if (pathLength >= freeOfLength.length) {
      int before = freeOfLength.length;
      freeOfLength = Arrays.copyOf(freeOfLength, pathLength + 1);
      Arrays.fill(freeOfLength, before, pathLength + 1, NONE);
    }
    int id = freeOfLength[pathLength];
    if (id != NONE) {
      freeOfLength[pathLength] = next(id);
      return id;
    }
    if (used * WORDS == entries.length) {
      grow();
    }
    int end = unitsEnd + pathLength;
    if (end > units.length) {
      units = Arrays.copyOf(units, end + (end >> 2));
    }
    entries[used * WORDS + FIRST] = unitsEnd;
    entries[used * WORDS + LENGTH] = pathLength;
    unitsEnd = end;
    return used++;
  }

  private void link(int id, int hash) {
    int bucket = hash & (buckets.length - 1);
    setNext(id, buckets[bucket]);
    buckets[bucket] = id;
  }

  private void grow() {
    int capacity = 2 * used;
    entries = Arrays.copyOf(entries, capacity * WORDS);
    buckets = filled(capacity);
    for (int id = 0; id < used; id++) {
      if (entries[id * WORDS + USERS] > 0) {
        link(id, hash(units, first(id), length(id)));
      }
    }
  }

  private static int hash(double[] unitsPerByte, int from, int length) {
    long hash = length;
    for (int i = from; i < from + length; i++) {
      hash = (hash ^ Double.doubleToRawLongBits(unitsPerByte[i])) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    hash *= 0xbf58476d1ce4e5b9L;
    return (int) (hash >>> 32);
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }
}
