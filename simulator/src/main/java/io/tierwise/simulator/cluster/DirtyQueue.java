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

  /** A write is three numbers: its file, its bytes and its time. */
  private static final int WORDS = 3;

  private static final int BYTES = 1;
  private static final int TICK = 2;

  private long[] ring = {};

  /** Places in the ring: none, or a power of two. */
  private int length;

  private int head;
  private int count;
  private long allBytes;

  long bytes() {
    return allBytes;
  }

  /** When the oldest of what waits was written, if anything does. */
  long oldestTick() {
    return ring[at(0) + TICK];
  }

  void add(long file, long moreBytes, long tick) {
    allBytes += moreBytes;
    if (count > 0) {
      int last = at(count - 1);
      if (ring[last] == file && tick - ring[last + TICK] < TOGETHER_TICKS) {
        ring[last + BYTES] += moreBytes;
        return;
      }
    }
    if (count == length) {
      grow();
    }
    int entry = at(count++);
    ring[entry] = file;
    ring[entry + BYTES] = moreBytes;
    ring[entry + TICK] = tick;
  }

  /** The device takes so many bytes, the oldest first; no more than there are. */
  void take(long takenBytes) {
    if (takenBytes == allBytes) {
      clear();
      return;
    }
    allBytes -= takenBytes;
    long left = takenBytes;
    while (left > 0) {
      int first = at(0);
      long part = Math.min(left, ring[first + BYTES]);
      left -= part;
      ring[first + BYTES] -= part;
      dropEmpty();
    }
  }

  /** Drops what waits of a file; returns how much that was. */
  long remove(long file) {
    long gone = 0;
    for (int i = 0; i < count; i++) {
      int entry = at(i);
      if (ring[entry] == file) {
        gone += ring[entry + BYTES];
        ring[entry + BYTES] = 0;
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
    while (count > 0 && ring[at(0) + BYTES] == 0) {
      head = (head + 1) & (length - 1);
      count--;
    }
  }

  private int at(int position) {
    return ((head + position) & (length - 1)) * WORDS;
  }

  private void grow() {
    int longerLength = Math.max(LENGTH_MIN, 2 * length);
    long[] longer = new long[longerLength * WORDS];
    int first = head * WORDS;
    System.arraycopy(ring, first, longer, 0, ring.length - first);
    System.arraycopy(ring, 0, longer, ring.length - first, first);
    ring = longer;
    length = longerLength;
    head = 0;
  }
}
