package io.tierwise.simulator.cluster;

import java.util.Arrays;

/**
 * A node's page cache, which holds data of its devices: the least recently used entry goes first.
 *
 * <p>Entries are whole blocks or a job's map output on the node, by a key of the caller's. A hash
 * table with open addressing over entries that stand in a doubly linked list by time of use: about
 * 48 bytes an entry, no allocation once grown. An entry that grows beyond the cache keeps its
 * newest part.
 */
public final class PageCache {
  private static final int NONE = -1;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final long capacityBytes;
  private long usedBytes;
  private int[] table = filled(32);
  private long[] keys = new long[16];
  private long[] bytes = new long[16];

  /** All bytes that were added to the entry, those that it no longer has included. */
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

  /** Whether it holds the entry; if so, the entry is now the newest. */
  public boolean touch(long key) {
    int entry = find(key);
    if (entry == NONE) {
      return false;
    }
    unlink(entry);
    linkNewest(entry);
    return true;
  }

  /** As {@link #touch}: which share it holds of all that was added to the entry, from 0 to 1. */
  public double share(long key) {
    if (!touch(key)) {
      return 0;
    }
    return addedBytes[newest] == 0 ? 1 : (double) bytes[newest] / (double) addedBytes[newest];
  }

  /**
   * Adds bytes to an entry, which becomes the newest; more at once than it can hold are dropped.
   */
  public void add(long key, long moreBytes) {
    int entry = find(key);
    if (entry == NONE) {
      if (moreBytes > capacityBytes) {
        return;
      }
      entry = insert(key);
    } else {
      unlink(entry);
    }
    linkNewest(entry);
    bytes[entry] += moreBytes;
    addedBytes[entry] += moreBytes;
    usedBytes += moreBytes;
    while (usedBytes > capacityBytes && oldest != entry) {
      removeEntry(oldest);
    }
    long tooMany = Math.max(0, usedBytes - capacityBytes);
    bytes[entry] -= tooMany;
    usedBytes -= tooMany;
  }

  public void remove(long key) {
    int entry = find(key);
    if (entry != NONE) {
      removeEntry(entry);
    }
  }

  public void clear() {
    while (oldest != NONE) {
      removeEntry(oldest);
    }
  }

  public long usedBytes() {
    return usedBytes;
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

  private int insert(long key) {
    if (2 * (count + 1) > table.length) {
      grow();
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
    addedBytes[entry] = 0;
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
  private void grow() {
    table = filled(2 * table.length);
    int room = table.length / 2;
    keys = Arrays.copyOf(keys, room);
    bytes = Arrays.copyOf(bytes, room);
    addedBytes = Arrays.copyOf(addedBytes, room);
    newer = Arrays.copyOf(newer, room);
    older = Arrays.copyOf(older, room);
    for (int entry = newest; entry != NONE; entry = older[entry]) {
      putIntoTable(entry);
    }
  }

  private void removeEntry(int entry) {
    unlink(entry);
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
