package io.tierwise.simulator.cluster;

import java.util.Arrays;

/**
 * What waits in memory for a device, in the order in which it was written, each write with the file
 * that it is of. A ring of writes; it allocates only as it grows.
 */
final class DirtyQueue {
  private static final int LENGTH_MIN = 4;

  private long[] files = {};
  private long[] bytes = {};
  private int head;
  private int count;
  private long allBytes;

  long bytes() {
    return allBytes;
  }

  void add(long file, long moreBytes) {
    allBytes += moreBytes;
    if (count > 0 && files[at(count - 1)] == file) {
      bytes[at(count - 1)] += moreBytes;
      return;
    }
    if (count == files.length) {
      grow();
    }
    int entry = at(count++);
    files[entry] = file;
    bytes[entry] = moreBytes;
  }

  /** The device takes so many bytes, the oldest first; no more than there are. */
  void take(long takenBytes) {
    allBytes -= takenBytes;
    long left = takenBytes;
    while (left > 0) {
      long part = Math.min(left, bytes[head]);
      left -= part;
      bytes[head] -= part;
      if (bytes[head] == 0) {
        dropHead();
      }
    }
  }

  /** Drops what waits of a file; returns how much that was. */
  long remove(long file) {
    long gone = 0;
    for (int i = 0; i < count; i++) {
      int entry = at(i);
      if (files[entry] == file) {
        gone += bytes[entry];
        bytes[entry] = 0;
      }
    }
    allBytes -= gone;
    while (count > 0 && bytes[head] == 0) {
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
    return (head + position) & (files.length - 1);
  }

  private void grow() {
    int length = Math.max(LENGTH_MIN, 2 * files.length);
    long[] oldFiles = files;
    long[] oldBytes = bytes;
    files = Arrays.copyOf(files, length);
    bytes = Arrays.copyOf(bytes, length);
    for (int i = 0; i < count; i++) {
      int from = (head + i) & (oldFiles.length - 1);
      files[i] = oldFiles[from];
      bytes[i] = oldBytes[from];
    }
    head = 0;
  }
}
