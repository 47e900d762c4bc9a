package io.tierwise.simulator.cluster;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which parts of blocks a page cache holds, for the few blocks of which it does not hold all: tasks
 * that share a block read a part each. Parts are ranges of bytes, from one offset up to another;
 * those of a block stand in order and never touch.
 */
final class BlockParts {
  private static final long[] NONE = {};

  /** Pairs of offsets by block. */
  private final Map<Long, long[]> ranges = new HashMap<>();

  /** Blocks of which some part is here. */
  int count() {
    return ranges.size();
  }

  /** Adds a part, which may overlap others; says how many bytes of the block are here now. */
  long add(long key, long from, long to) {
    long[] before = of(key);
    if (before.length == 2 && before[0] <= from && from <= before[1]) {
      // The usual case: a task reads on where the one before it, or itself, ended.
      before[1] = Math.max(before[1], to);
      return before[1] - before[0];
    }
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
    long[] parts = length == after.length ? after : Arrays.copyOf(after, length);
    ranges.put(key, parts);
    return bytes(parts);
  }

  private static long bytes(long[] parts) {
    long bytes = 0;
    for (int i = 0; i < parts.length; i += 2) {
      bytes += parts[i + 1] - parts[i];
    }
    return bytes;
  }

  /** Whether all bytes of a range are here. */
  boolean holds(long key, long from, long to) {
    long[] parts = of(key);
    for (int i = 0; i < parts.length; i += 2) {
      if (parts[i] <= from && to <= parts[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** The end of the bytes from an offset on that are all here, or all not here. */
  long alikeUntil(long key, long from) {
    for (long bound : of(key)) {
      if (bound > from) {
        return bound;
      }
    }
    return Long.MAX_VALUE;
  }

  void remove(long key) {
    ranges.remove(key);
  }

  private long[] of(long key) {
    return ranges.getOrDefault(key, NONE);
  }
}
