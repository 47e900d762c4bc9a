package io.tierwise.hadoop.inspect.advise;

import java.util.Arrays;

/**
 * The reads of a log that are too old to be kept one by one: of each file how many, and from when
 * to when.
 */
final class OlderReads {
  private static final int FILES_MIN = 1 << 10;

  private int[] counts = new int[0];
  private int[] first = new int[0];
  private int[] last = new int[0];

  /** Another file has the number from now on. */
  void forget(int file) {
    if (file < counts.length) {
      counts[file] = 0;
    }
  }

  void add(int file, int second) {
    if (file >= counts.length) {
      int length = Math.max(FILES_MIN, Math.max(file + 1, 2 * counts.length));
      counts = Arrays.copyOf(counts, length);
      first = Arrays.copyOf(first, length);
      last = Arrays.copyOf(last, length);
    }
    boolean isOnly = counts[file] == 0;
    first[file] = isOnly ? second : earlier(first[file], second);
    last[file] = isOnly ? second : later(last[file], second);
    counts[file]++;
  }

  private static int earlier(int a, int b) {
    return Integer.compareUnsigned(a, b) <= 0 ? a : b;
  }

  private static int later(int a, int b) {
    return Integer.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /**
   * Reads of a file within a time: all or none of them where all or none of its reads' times are in
   * it, else their share of these times.
   *
   * @param from first second, {@code to} the last one
   */
  int within(int file, long from, long to) {
    if (file >= counts.length || counts[file] == 0) {
      return 0;
    }
    long begins = Integer.toUnsignedLong(first[file]);
    long ends = Integer.toUnsignedLong(last[file]);
    long seconds = Math.min(to, ends) - Math.max(from, begins) + 1;
    return seconds <= 0
        ? 0
        : (int) Math.round(counts[file] * (double) seconds / (ends - begins + 1));
  }
}
