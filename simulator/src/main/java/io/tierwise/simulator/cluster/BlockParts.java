package io.tierwise.simulator.cluster;

import java.util.Arrays;

/**
 * Which parts of blocks a page cache holds, for the blocks of which it does not hold all: tasks
 * that share a block read a part each. Parts are ranges of bytes, from one offset up to another;
 * those of a block stand in order and never touch. Blocks go by the numbers of their entries, so
 * that nobody looks one up twice.
 */
final class BlockParts {
  private static final long[] NONE = {};

  /** Pairs of offsets by entry; null where the cache holds all, or nothing. */
  private long[][] ranges = {};

  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  /** Adds a part, which may overlap others; says how many bytes of the block are here now. */
  long add(int entry, long from, long to) {
    long[] before = of(entry);
    long[] after = new long[before.length + 2];
    int length = 0;
    int i = 0;
    while (i < before.length && before[i + 1] < from) {
      after[length++] = before[i++];
      after[length++] = before[i++];
    }
    long start = from;
    long end = to;
    for (; i < before.length && before[i] <= to; i += 2) {
      start = Math.min(start, before[i]);
      end = Math.max(end, before[i + 1]);
    }
    after[length++] = start;
    after[length++] = end;
    while (i < before.length) {
      after[length++] = before[i++];
    }
    put(entry, Arrays.copyOf(after, length));
    return bytes(entry);
  }

  long bytes(int entry) {
    long bytes = 0;
    long[] parts = of(entry);
    for (int i = 0; i < parts.length; i += 2) {
      bytes += parts[i + 1] - parts[i];
    }
    return bytes;
  }

  /** Whether all bytes of a range are here. */
  boolean holds(int entry, long from, long to) {
    long[] parts = of(entry);
    for (int i = 0; i < parts.length; i += 2) {
      if (parts[i] <= from && to <= parts[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** The end of the bytes from an offset on that are all here, or all not here. */
  long alikeUntil(int entry, long from) {
    for (long bound : of(entry)) {
      if (bound > from) {
        return bound;
      }
    }
    return Long.MAX_VALUE;
  }

  void remove(int entry) {
    if (of(entry) != NONE) {
      ranges[entry] = null;
      count--;
    }
  }

  private void put(int entry, long[] parts) {
    if (entry >= ranges.length) {
      ranges = Arrays.copyOf(ranges, Math.max(entry + 1, 2 * ranges.length));
    }
    count += ranges[entry] == null ? 1 : 0;
    ranges[entry] = parts;
  }

  private long[] of(int entry) {
    return entry < ranges.length && ranges[entry] != null ? ranges[entry] : NONE;
  }
}
