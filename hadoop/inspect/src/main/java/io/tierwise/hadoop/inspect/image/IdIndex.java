package io.tierwise.hadoop.inspect.image;

import io.tierwise.core.data.IdHash;

/** From ids to small numbers, for a count that is known beforehand: 16 bytes each. */
public final class IdIndex {
  /** No number. */
  public static final int NONE = -1;

  private static final long COUNT_MAX = 1L << 30;

  private final long[] ids;
  private final int[] numbers;
  private int count;

  /** Makes room for so many ids, none of them 0. */
  public IdIndex(long idCount) {
    if (idCount < 0 || idCount > COUNT_MAX) {
      throw new IllegalArgumentException(idCount + " ids");
    }
    int slots = (int) Math.min(Integer.MAX_VALUE - 8, 8 + idCount + idCount / 3);
    ids = new long[slots];
    numbers = new int[slots];
  }

  private int home(long id) {
    return (int) (((IdHash.mix(id) >>> Integer.SIZE) * ids.length) >>> Integer.SIZE);
  }

  private int slot(long id) {
    int slot = home(id);
    while (ids[slot] != 0 && ids[slot] != id) {
      slot = slot + 1 == ids.length ? 0 : slot + 1;
    }
    return slot;
  }

  /** Adds an id, or gives it another number; false when there is no room. */
  public boolean put(long id, int number) {
    int slot = slot(id);
    if (ids[slot] == 0) {
      if (count + 1 >= ids.length) {
        return false;
      }
      count++;
      ids[slot] = id;
    }
    numbers[slot] = number;
    return true;
  }

  /** The number of an id; {@link #NONE} for one that is not there. */
  public int get(long id) {
    int slot = slot(id);
    return ids[slot] == id && id != 0 ? numbers[slot] : NONE;
  }

  /** The same ids, with room for more. */
  public IdIndex grown(long idCount) {
    IdIndex grown = new IdIndex(idCount);
    for (int slot = 0; slot < ids.length; slot++) {
      if (ids[slot] != 0) {
        grown.put(ids[slot], numbers[slot]);
      }
    }
    return grown;
  }
}
