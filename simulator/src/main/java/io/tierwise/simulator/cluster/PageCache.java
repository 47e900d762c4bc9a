package io.tierwise.simulator.cluster;

import java.util.Arrays;

/**
 * A node's page cache, which holds data of its devices: what was not used for longest goes first.
 *
 * <p>Entries have a key of the caller's. Blocks come as wholes or in parts, and what is here of one
 * goes at once. Files that grow, as runs and map output do, lose their oldest bytes one by one, and
 * stay known, without a byte if need be, until they are removed: what part of them is still here is
 * the question that is asked of them. A hash table with open addressing over entries that stand in
 * a doubly linked list by time of use: about 60 bytes an entry, no allocation once grown.
 */
public final class PageCache {
  private static final int NONE = -1;

  /** In the place of the newer entry of one that has no byte here, and so stands in no list. */
  private static final int UNLISTED = -2;

  /** In the place of all the bytes of an entry that is a block, all of which is here. */
  private static final long WHOLE = -1;

  /** The same where {@link #parts} says what is here. */
  private static final long PARTS = -2;

  private static final int WORDS = 4;
  private static final int BYTES = 1;
  private static final int ADDED = 2;
  private static final int NEIGHBOURS = 3;
  private static final long LOWER_MASK = 0xFFFFFFFFL;

  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** A place of the table without an entry; none has these lower bits. */
  private static final long EMPTY = -1;

  private final BlockParts parts = new BlockParts();

  /** Blocks of which parts are here: none, mostly, and then nobody looks any further. */
  private int blocksInParts;

  private final long capacityBytes;
  private long usedBytes;

  /**
   * Entries in the lower half, the upper half of the hash of their keys above it: an entry that is
   * not looked for is passed without a look at it, which stands elsewhere in memory.
   */
  private long[] table = filled(32);

  /**
   * Four numbers an entry, side by side, since all of them are asked for at once: its key, its
   * bytes, {@link #added}, and its neighbours in the list, the newer one in the upper half.
   */
  private long[] entries = new long[16 * WORDS];

  private int count;
  private int free = NONE;
  private int newest = NONE;
  private int oldest = NONE;

  public PageCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** Whether it holds all of a range of a block; if so, the block is now the newest. */
  public boolean touch(long key, long from, long to) {
    int entry = find(key);
    if (entry == NONE || (added(entry) == PARTS && !parts.holds(key, from, to))) {
      return false;
    }
    return touchEntry(entry);
  }

  /**
   * The end of the bytes of a block from an offset on of which it holds all, or none.
   *
   * @param to the end where there is no earlier one
   */
  public long alikeUntil(long key, long from, long to) {
    return blocksInParts == 0 ? to : Math.min(to, parts.alikeUntil(key, from));
  }

  /** Whether it holds a byte of an entry, which then is the newest. */
  private boolean touchEntry(int entry) {
    if (entry == NONE || newer(entry) == UNLISTED) {
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
    return shareOfLast(1, key);
  }

  /**
   * As {@link #share}, of the bytes that were added last.
   *
   * @param part which part of all that was added is asked for, up to 1
   */
  public double shareOfLast(double part, long key) {
    int entry = find(key);
    if (touchEntry(entry)) {
      return Math.min(1, (double) bytes(newest) / (part * (double) added(newest)));
    }
    return entry == NONE ? 1 : 0;
  }

  /** Adds all of a block, as {@link #add(long, long, long, long)}. */
  public void add(long key, long blockBytes) {
    add(key, 0, blockBytes, blockBytes);
  }

  /**
   * Adds a range of a block, which becomes the newest. What is here already is not added again; a
   * range that does not fit changes nothing, and one that does not fit beside what is here of the
   * block takes its place.
   */
  public void add(long key, long from, long to, long blockBytes) {
    if (to - from > capacityBytes) {
      return;
    }
    int entry = find(key);
    if (entry == NONE) {
      entry = insert(key, to - from == blockBytes ? WHOLE : PARTS);
    } else {
      unlink(entry);
    }
    long here = bytesWith(entry, from, to, blockBytes);
    if (here == blockBytes) {
      forgetParts(entry);
      entries[entry * WORDS + ADDED] = WHOLE;
    }
    grow(entry, here - bytes(entry));
  }

  /** Bytes of a block that are here with one more range. Whole blocks never ask for parts. */
  private long bytesWith(int entry, long from, long to, long blockBytes) {
    if (added(entry) == WHOLE || to - from == blockBytes) {
      return blockBytes;
    }
    long key = key(entry);
    long here = parts.add(key, from, to);
    if (here > capacityBytes) {
      parts.remove(key);
      here = parts.add(key, from, to);
    }
    blocksInParts = parts.count();
    return here;
  }

  private void forgetParts(int entry) {
    if (added(entry) == PARTS) {
      parts.remove(key(entry));
      blocksInParts = parts.count();
    }
  }

  /** Adds bytes to a file that grows, which becomes the newest: its last ones stay for longest. */
  public void append(long key, long moreBytes) {
    if (moreBytes == 0) {
      return;
    }
    int entry = find(key);
    if (entry == NONE) {
      entry = insert(key, 0);
    } else if (newer(entry) != UNLISTED) {
      unlink(entry);
    }
    entries[entry * WORDS + ADDED] += moreBytes;
    grow(entry, moreBytes);
  }

  /** Makes room for bytes of an entry that stands in no list, by others' first. */
  private void grow(int entry, long moreBytes) {
    linkNewest(entry);
    entries[entry * WORDS + BYTES] += moreBytes;
    usedBytes += moreBytes;
    while (usedBytes > capacityBytes && oldest != entry) {
      if (isBlock(oldest)) {
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
    long gone = Math.min(bytes(entry), usedBytes - capacityBytes);
    entries[entry * WORDS + BYTES] -= gone;
    usedBytes -= gone;
    if (bytes(entry) == 0 && !isBlock(entry)) {
      unlink(entry);
      setNewer(entry, UNLISTED);
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
      if (isBlock(entry)) {
        removeEntry(entry);
      } else {
        unlink(entry);
        setNewer(entry, UNLISTED);
        usedBytes -= bytes(entry);
        entries[entry * WORDS + BYTES] = 0;
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
    long hash = key * MIX;
    int mask = table.length - 1;
    for (int slot = slotOf(hash, mask); table[slot] != EMPTY; slot = (slot + 1) & mask) {
      long place = table[slot];
      if ((place ^ hash) >>> Integer.SIZE == 0 && key((int) place) == key) {
        return (int) place;
      }
    }
    return NONE;
  }

  /** By the upper bits of a hash, which a place of the table has as well. */
  private static int slotOf(long hash, int mask) {
    return (int) (hash >>> 40) & mask;
  }

  private int insert(long key, long added) {
    if (2 * (count + 1) > table.length) {
      growTable();
    }
    int entry = free;
    if (entry == NONE) {
      entry = count;
    } else {
      free = older(entry);
    }
    count++;
    entries[entry * WORDS] = key;
    entries[entry * WORDS + BYTES] = 0;
    entries[entry * WORDS + ADDED] = added;
    putIntoTable(((key * MIX) & ~LOWER_MASK) | entry);
    return entry;
  }

  private void putIntoTable(long place) {
    int mask = table.length - 1;
    int slot = slotOf(place, mask);
    while (table[slot] != EMPTY) {
      slot = (slot + 1) & mask;
    }
    table[slot] = place;
  }

  /** Doubles the table; entries are numbered without gaps only while none was removed. */
  private void growTable() {
    long[] before = table;
    table = filled(2 * before.length);
    entries = Arrays.copyOf(entries, before.length * WORDS);
    for (long place : before) {
      if (place != EMPTY) {
        putIntoTable(place);
      }
    }
  }

  private void removeEntry(int entry) {
    if (newer(entry) != UNLISTED) {
      unlink(entry);
    }
    usedBytes -= bytes(entry);
    forgetParts(entry);
    removeFromTable(entry);
    count--;
    setOlder(entry, free);
    free = entry;
  }

  /** Closes the gap, so that no probe ends early. */
  private void removeFromTable(int entry) {
    int mask = table.length - 1;
    int slot = slotOf(key(entry) * MIX, mask);
    while ((int) table[slot] != entry) {
      slot = (slot + 1) & mask;
    }
    int gap = slot;
    for (int next = (gap + 1) & mask; table[next] != EMPTY; next = (next + 1) & mask) {
      int home = slotOf(table[next], mask);
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        table[gap] = table[next];
        gap = next;
      }
    }
    table[gap] = EMPTY;
  }

  private void linkNewest(int entry) {
    entries[entry * WORDS + NEIGHBOURS] = neighbours(NONE, newest);
    if (newest == NONE) {
      oldest = entry;
    } else {
      entries[newest * WORDS + NEIGHBOURS] = neighbours(entry, older(newest));
    }
    newest = entry;
  }

  private void unlink(int entry) {
    int newer = newer(entry);
    int older = older(entry);
    if (newer == NONE) {
      newest = older;
    } else {
      setOlder(newer, older);
    }
    if (older == NONE) {
      oldest = newer;
    } else {
      setNewer(older, newer);
    }
  }

  private long key(int entry) {
    return entries[entry * WORDS];
  }

  private long bytes(int entry) {
    return entries[entry * WORDS + BYTES];
  }

  /** All bytes of a file that grows, those that are no longer here included; or a block's mark. */
  private long added(int entry) {
    return entries[entry * WORDS + ADDED];
  }

  private boolean isBlock(int entry) {
    return added(entry) < 0;
  }

  private int newer(int entry) {
    return (int) (entries[entry * WORDS + NEIGHBOURS] >>> Integer.SIZE);
  }

  private int older(int entry) {
    return (int) entries[entry * WORDS + NEIGHBOURS];
  }

  private void setNewer(int entry, int neighbour) {
    entries[entry * WORDS + NEIGHBOURS] = neighbours(neighbour, older(entry));
  }

  private void setOlder(int entry, int neighbour) {
    entries[entry * WORDS + NEIGHBOURS] = neighbours(newer(entry), neighbour);
  }

  private static long neighbours(int newerOne, int olderOne) {
    return ((long) newerOne << Integer.SIZE) | (olderOne & LOWER_MASK);
  }

  private static long[] filled(int length) {
    long[] places = new long[length];
    Arrays.fill(places, EMPTY);
    return places;
  }
}
