package io.tierwise.simulator.cluster;

import io.tierwise.simulator.engine.Ticks;

/**
 * What waits in memory for a device, in the order in which it was written, each write with the file
 * that it is of and its time. A ring of writes; it allocates only as it grows.
 *
 * <p>Writes of one file that follow each other within five seconds are one, as old as its first
 * byte. Source: Linux's vm.dirty_writeback_centisecs, 500: so often it looks how old data is; a
 * file is as old as the first of its dirty bytes. Own: from then on a file's data is newer.
 */
final class DirtyQueue {
  private static final int LENGTH_MIN = 4;
  private static final long TOGETHER_TICKS = 5 * Ticks.PER_SECOND;

  /** A write is two numbers, its file and its bytes. */
  private long[] ring = {};

  /** And its time; half as long. */
  private long[] ticks = {};

  private int head;
  private int count;
  private long allBytes;

  long bytes() {
    return allBytes;
  }

  /** When the oldest of what waits was written, if anything does. */
  long oldestTick() {
    return ticks[head >> 1];
  }

  void add(long file, long moreBytes, long tick) {
    allBytes += moreBytes;
    if (count > 0) {
      int last = at(count - 1);
      if (ring[last] == file && tick - ticks[last >> 1] < TOGETHER_TICKS) {
        ring[last + 1] += moreBytes;
        return;
      }
    }
    if (count == ticks.length) {
      grow();
    }
    int entry = at(count++);
    ring[entry] = file;
    ring[entry + 1] = moreBytes;
    ticks[entry >> 1] = tick;
  }

  /** The device takes so many bytes, the oldest first; no more than there are. */
  void take(long takenBytes) {
    allBytes -= takenBytes;
    long left = takenBytes;
    while (left > 0) {
      long part = Math.min(left, ring[head + 1]);
      left -= part;
      ring[head + 1] -= part;
      dropEmpty();
    }
  }

  /** Drops what waits of a file; returns how much that was. */
  long remove(long file) {
    long gone = 0;
    for (int i = 0; i < count; i++) {
      int entry = at(i);
      if (ring[entry] == file) {
        gone += ring[entry + 1];
        ring[entry + 1] = 0;
      }
    }
    allBytes -= gone;
    dropEmpty();
    return gone;
  }

  void clear() {
    head = 0;
    count = 0;
    allBytes = 0;
  }

  /** What is deleted or written stands first no more. */
  private void dropEmpty() {
    while (count > 0 && ring[head + 1] == 0) {
      head = at(1);
      count--;
    }
  }

  private int at(int position) {
    return (head + 2 * position) & (ring.length - 1);
  }

  private void grow() {
    int length = Math.max(LENGTH_MIN, 2 * ticks.length);
    ring = turned(ring, head, 2 * length);
    ticks = turned(ticks, head >> 1, length);
    head = 0;
  }

  /** A longer array, that begins with the entry at {@code first}. */
  private static long[] turned(long[] array, int first, int length) {
    long[] longer = new long[length];
    System.arraycopy(array, first, longer, 0, array.length - first);
    System.arraycopy(array, 0, longer, array.length - first, first);
    return longer;
  }
}
