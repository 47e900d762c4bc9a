package io.tierwise.simulator.cluster;

/**
 * What waits in memory for a device, in the order in which it was written, each write with the file
 * that it is of. A ring of writes; it allocates only as it grows.
 */
final class DirtyQueue {
  private static final int LENGTH_MIN = 8;

  /** A write is two numbers, its file and its bytes. */
  private long[] ring = {};

  private int head;
  private int count;
  private long allBytes;

  long bytes() {
    return allBytes;
  }

  void add(long file, long moreBytes) {
    allBytes += moreBytes;
    if (count > 0 && ring[at(count - 1)] == file) {
      ring[at(count - 1) + 1] += moreBytes;
      return;
    }
    if (2 * count == ring.length) {
      grow();
    }
    int entry = at(count++);
    ring[entry] = file;
    ring[entry + 1] = moreBytes;
  }

  /** The device takes so many bytes, the oldest first; no more than there are. */
  void take(long takenBytes) {
    allBytes -= takenBytes;
    long left = takenBytes;
    while (left > 0) {
      long part = Math.min(left, ring[head + 1]);
      left -= part;
      ring[head + 1] -= part;
      if (ring[head + 1] == 0) {
        dropHead();
      }
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
    while (count > 0 && ring[head + 1] == 0) {
      dropHead();
    }
    return gone;
  }

  void clear() {
    head = 0;
    count = 0;
    allBytes = 0;
  }

  private void dropHead() {
    head = at(1);
    count--;
  }

  private int at(int position) {
    return (head + 2 * position) & (ring.length - 1);
  }

  private void grow() {
    long[] longer = new long[Math.max(LENGTH_MIN, 2 * ring.length)];
    System.arraycopy(ring, head, longer, 0, ring.length - head);
    System.arraycopy(ring, 0, longer, ring.length - head, head);
    ring = longer;
    head = 0;
  }
}
