package io.tierwise.experiments.popularity;

import io.tierwise.core.data.IdHash;
import java.util.Arrays;

/**
 * A fast tier of some bytes that is filled anew at each boundary: the most popular files first,
 * smaller ones in the place of those that do not fit. Files of equal popularity are in a drawn
 * order.
 */
final class FastTier {
  private final long capacityBytes;
  private final int seed;
  private final ReadTrace trace;
  private final long[] order;
  private final boolean[] isIn;
  private long promotedBytes;

  FastTier(ReadTrace trace, long capacityBytes, int seed) {
    this.trace = trace;
    this.capacityBytes = capacityBytes;
    this.seed = seed;
    order = new long[trace.fileCount()];
    isIn = new boolean[trace.fileCount()];
  }

  /** Fills it with files numbered below {@code known} by their popularity. */
  void fill(double[] popularity, int known) {
    for (int file = 0; file < known; file++) {
      order[file] = key(popularity[file], file);
    }
    Arrays.sort(order, 0, known);
    long free = capacityBytes;
    for (int place = 0; place < known; place++) {
      int file = file(order[place]);
      boolean fits = trace.size(file) <= free;
      if (fits) {
        free -= trace.size(file);
        promotedBytes += isIn[file] ? 0 : trace.size(file);
      }
      isIn[file] = fits;
    }
  }

  /** Sorts by falling popularity to seven digits, then by what is drawn for the file. */
  private long key(double popularity, int file) {
    int bits = Float.floatToIntBits((float) popularity);
    int rising = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    return ((long) ~rising << 32) | (shuffled(file) & 0xffffffffL);
  }

  /** One to one, by a multiplication that {@link #file} takes back. */
  private int shuffled(int file) {
    return (file ^ drawn()) * 0x9e3779b1;
  }

  private int file(long key) {
    // 0x0e8b2f51 * 0x9e3779b1 = 1 modulo 2^32.
    return ((int) key * 0x0e8b2f51) ^ drawn();
  }

  private int drawn() {
    return (int) IdHash.mix(seed);
  }

  boolean isIn(int file) {
    return isIn[file];
  }

  /** All bytes that came in, in all fillings. */
  long promotedBytes() {
    return promotedBytes;
  }
}
