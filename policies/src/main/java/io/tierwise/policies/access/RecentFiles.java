package io.tierwise.policies.access;

import io.tierwise.core.data.IdHash;

/**
 * A bounded table of files: gives each recently used file a slot number, and the slot of the least
 * recently used of eight to a new one.
 *
 * <p>Own: eight-way set-associative, as a processor's cache, because a linked map would allocate a
 * node and a key for each read. Evicts within the file's set, so not always the oldest of all. Not
 * safe for threads: its owner locks.
 */
final class RecentFiles {
  static final int NONE = -1;

  private static final int WAYS = 8;

  private final long[] fileIds;

  /** When the slot was last used; 0 for a free slot. */
  private final long[] usedAt;

  private final int setMask;
  private long now;

  /** A table of at least {@code fileCountMax} files, rounded up to a power of two. */
  RecentFiles(int fileCountMax) {
    int slotCount = Integer.highestOneBit(Math.max(WAYS, fileCountMax) * 2 - 1);
    fileIds = new long[slotCount];
    usedAt = new long[slotCount];
    setMask = slotCount / WAYS - 1;
  }

  int slotCount() {
    return fileIds.length;
  }

  /** The file's slot, or {@link #NONE}. */
  int find(long fileId) {
    int first = firstSlot(fileId);
    for (int slot = first; slot < first + WAYS; slot++) {
      if (usedAt[slot] != 0 && fileIds[slot] == fileId) {
        usedAt[slot] = ++now;
        return slot;
      }
    }
    return NONE;
  }

  /** Gives a file that has no slot one; what was kept under that slot number is another file's. */
  int take(long fileId) {
    int first = firstSlot(fileId);
    int oldest = first;
    for (int slot = first + 1; slot < first + WAYS; slot++) {
      if (usedAt[slot] < usedAt[oldest]) {
        oldest = slot;
      }
    }
    fileIds[oldest] = fileId;
    usedAt[oldest] = ++now;
    return oldest;
  }

  private int firstSlot(long fileId) {
    return ((int) IdHash.mix(fileId) & setMask) * WAYS;
  }
}
