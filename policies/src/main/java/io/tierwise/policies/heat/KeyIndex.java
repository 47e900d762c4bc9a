package io.tierwise.policies.heat;

/**
 * From 64-bit keys to rows: open addressing. A slot holds a row and the upper half of its key, so
 * that a look-up that finds nothing touches no row, and growing none either.
 */
final class KeyIndex {
  private static final long EMPTY = 0;
  private static final int BITS_MIN = 10;

  private long[] slots = new long[1 << BITS_MIN];
  private int bits = BITS_MIN;
  private int count;

  /** Tells the whole key of a row. */
  interface Keys {
    long key(int row);
  }

  private int home(long slot) {
    return (int) (slot >>> (Long.SIZE - bits));
  }

  private static long slot(long key, int row) {
    return (key & 0xffffffff00000000L) | (row + 1);
  }

  private static int row(long slot) {
    return (int) slot - 1;
  }

  /** The row of a key, or {@link RowPages#NONE}. */
  int find(long key, Keys keys) {
    int mask = slots.length - 1;
    for (int at = home(key); slots[at] != EMPTY; at = (at + 1) & mask) {
      long slot = slots[at];
      if ((slot ^ key) >>> Integer.SIZE == 0 && keys.key(row(slot)) == key) {
        return row(slot);
      }
    }
    return RowPages.NONE;
  }

  /** Adds a key that is not there. */
  void add(long key, int row) {
    if (++count > slots.length / 8 * 5) {
      grow();
    }
    put(slot(key, row));
  }

  private void put(long slot) {
    int mask = slots.length - 1;
    int at = home(slot);
    while (slots[at] != EMPTY) {
      at = (at + 1) & mask;
    }
    slots[at] = slot;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[2 * old.length];
    bits++;
    for (long slot : old) {
      if (slot != EMPTY) {
        put(slot);
      }
    }
  }

  /** Removes a key that is there; slots behind it close up, so that no look-up ends too early. */
  void remove(long key, int row) {
    int mask = slots.length - 1;
    long wanted = slot(key, row);
    int hole = home(key);
    while (slots[hole] != wanted) {
      hole = (hole + 1) & mask;
    }
    for (int at = (hole + 1) & mask; slots[at] != EMPTY; at = (at + 1) & mask) {
      int distance = (at - home(slots[at])) & mask;
      if (distance >= ((at - hole) & mask)) {
        slots[hole] = slots[at];
        hole = at;
      }
    }
    slots[hole] = EMPTY;
    count--;
  }
}
