package io.tierwise.simulator.cluster;

import java.util.Arrays;

/**
 * A node's page cache, which holds data of its devices: what was not used for longest goes first.
 *
 * <p>Entries have a key of the caller's. Whole blocks come and go as wholes. Files that grow, as
 * runs and map output do, lose their oldest bytes one by one, and stay known, without a byte if
 * need be, until they are removed: what part of them is still here is the question that is asked of
 * them. A hash table with open addressing over entries that stand in a doubly linked list by time
 * of use: about 48 bytes an entry, no allocation once grown.
 */
public final class PageCache {
  private static final int NONE = -1;

  /** In the place of the newer entry of one that has no byte here, and so stands in no list. */
  private static final int UNLISTED = -2;

  /** In the place of all the bytes of an entry that is a block. */
  private static final long WHOLE = -1;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final long capacityBytes;
  private long usedBytes;
  private int[] table = filled(32);
  private long[] keys = new long[16];
  private long[] bytes = new long[16];

  /** All bytes of a file that grows, those that are no longer here included; or {@link #WHOLE}. */
  private long[] addedBytes = new long[16];

  private int[] newer = new int[16];
  private int[] older = new int[16];
  private int count;
  private int free = NONE;
  private int newest = NONE;
  private int oldest = NONE;

  public PageCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** Whether it holds a byte of the entry; if so, the entry is now the newest. */
  public boolean touch(long key) {
    int entry = find(key);
    if (entry == NONE || newer[entry] == UNLISTED) {
      return false;
    }
    unlink(entry);
    linkNewest(entry);
    return true;
  }

  /**
   * As {@link #touch}: which share it holds of a file that grows, from 0 to 1; of one to which
   * nothing was added, all.
   */
  public double share(long key) {
    if (touch(key)) {
      return (double) bytes[newest] / (double) addedBytes[newest];
    }
    return find(key) == NONE ? 1 : 0;
  }

  /**
   * Adds a block, or bytes to one, which becomes the newest; one that does not fit changes nothing.
   */
  public void add(long key, long moreBytes) {
    int entry = find(key);
    if (entry == NONE) {
      if (moreBytes > capacityBytes) {
        return;
      }
      entry = insert(key, WHOLE);
    } else {
      unlink(entry);
    }
    grow(entry, moreBytes);
  }

  /** Adds bytes to a file that grows, which becomes the newest: its last ones stay for longest. */
  public void append(long key, long moreBytes) {
    if (moreBytes == 0) {
      return;
    }
    int entry = find(key);
    if (entry == NONE) {
      entry = insert(key, 0);
    } else if (newer[entry] != UNLISTED) {
      unlink(entry);
    }
    addedBytes[entry] += moreBytes;
    grow(entry, moreBytes);
  }

  /** Makes room for bytes of an entry that stands in no list, by others' first. */
  private void grow(int entry, long moreBytes) {
    linkNewest(entry);
    bytes[entry] += moreBytes;
    usedBytes += moreBytes;
    while (usedBytes > capacityBytes && oldest != entry) {
      if (addedBytes[oldest] == WHOLE) {
        removeEntry(oldest);
      } else {
        shrink(oldest);
      }
    }
    if (usedBytes > capacityBytes) {
      shrink(entry);
    }
  }

  /** Takes as many bytes of an entry as are too many. */
  private void shrink(int entry) {
    long gone = Math.min(bytes[entry], usedBytes - capacityBytes);
    bytes[entry] -= gone;
    usedBytes -= gone;
    if (bytes[entry] == 0 && addedBytes[entry] != WHOLE) {
      unlink(entry);
      newer[entry] = UNLISTED;
    }
  }

  public void remove(long key) {
    int entry = find(key);
    if (entry != NONE) {
      removeEntry(entry);
    }
  }

  /** Forgets the bytes of all entries; files that grow stay known. */
  public void clear() {
    while (oldest != NONE) {
      int entry = oldest;
      if (addedBytes[entry] == WHOLE) {
        removeEntry(entry);
      } else {
        unlink(entry);
        newer[entry] = UNLISTED;
        usedBytes -= bytes[entry];
        bytes[entry] = 0;
      }
    }
  }

  public long usedBytes() {
    return usedBytes;
  }

  /** Blocks and files that it knows, those without a byte here included. */
  public int entryCount() {
    return count;
  }

  private int find(long key) {
    int mask = table.length - 1;
    for (int slot = slotOf(key, mask); table[slot] != NONE; slot = (slot + 1) & mask) {
      if (keys[table[slot]] == key) {
        return table[slot];
      }
    }
    return NONE;
  }

  private static int slotOf(long key, int mask) {
    return (int) ((key * MIX) >>> 40) & mask;
  }

  private int insert(long key, long added) {
    if (2 * (count + 1) > table.length) {
      growTable();
    }
    int entry = free;
    if (entry == NONE) {
      entry = count;
    } else {
      free = older[entry];
    }
    count++;
    keys[entry] = key;
    bytes[entry] = 0;
    addedBytes[entry] = added;
    putIntoTable(entry);
    return entry;
  }

  private void putIntoTable(int entry) {
    int mask = table.length - 1;
    int slot = slotOf(keys[entry], mask);
    while (table[slot] != NONE) {
      slot = (slot + 1) & mask;
    }
    table[slot] = entry;
  }

  /** Doubles the table; entries are numbered without gaps only while none was removed. */
  private void growTable() {
    int[] entries = table;
    table = filled(2 * entries.length);
    keys = Arrays.copyOf(keys, entries.length);
    bytes = Arrays.copyOf(bytes, entries.length);
    addedBytes = Arrays.copyOf(addedBytes, entries.length);
    newer = Arrays.copyOf(newer, entries.length);
    older = Arrays.copyOf(older, entries.length);
    for (int entry : entries) {
      if (entry != NONE) {
        putIntoTable(entry);
      }
    }
  }

  private void removeEntry(int entry) {
    if (newer[entry] != UNLISTED) {
      unlink(entry);
    }
    usedBytes -= bytes[entry];
    removeFromTable(keys[entry]);
    count--;
    older[entry] = free;
    free = entry;
  }

  /** Closes the gap, so that no probe ends early. */
  private void removeFromTable(long key) {
    int mask = table.length - 1;
    int slot = slotOf(key, mask);
    while (keys[table[slot]] != key) {
      slot = (slot + 1) & mask;
    }
    int gap = slot;
    for (int next = (gap + 1) & mask; table[next] != NONE; next = (next + 1) & mask) {
      int home = slotOf(keys[table[next]], mask);
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        table[gap] = table[next];
        gap = next;
      }
    }
    table[gap] = NONE;
  }

  private void linkNewest(int entry) {
    older[entry] = newest;
    newer[entry] = NONE;
    if (newest == NONE) {
      oldest = entry;
    } else {
      newer[newest] = entry;
    }
    newest = entry;
  }

  private void unlink(int entry) {
    if (newer[entry] == NONE) {
      newest = older[entry];
    } else {
      older[newer[entry]] = older[entry];
    }
    if (older[entry] == NONE) {
      oldest = newer[entry];
    } else {
      newer[older[entry]] = newer[entry];
    }
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }
}
