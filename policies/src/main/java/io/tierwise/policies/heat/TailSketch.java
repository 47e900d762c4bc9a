package io.tierwise.policies.heat;

import io.tierwise.core.data.IdHash;
import java.util.Arrays;

/**
 * How often each of very many cold files was read, from above: never too low, and too high by
 * little with a stated probability.
 *
 * <p>Source: Cormode and Muthukrishnan, An Improved Data Stream Summary: The Count-Min Sketch and
 * its Applications, J. Algorithms 55 (2005): with arrays of w cells, d of them, and N counted in
 * all, an estimate exceeds the truth by more than e N / w with a probability of at most e^-d.
 * Conservative update: Estan and Varghese, SIGCOMM 2002.
 *
 * <p>Deviation: two such sketches, of this period and of the one before, because a sketch cannot
 * forget: an estimate is the sum of both. A cell has 16 bits; one that is full makes the estimate
 * {@link #FULL}, which is no bound.
 */
final class TailSketch {
  static final int FULL = 0xffff;
  static final int DEPTH = 4;

  private final int bits;
  private char[] current;
  private char[] older;
  private long currentTotal;
  private long olderTotal;

  TailSketch(int bits) {
    this.bits = bits;
  }

  /** Index of a key's cell in one of the arrays, which stand side by side. */
  private int cell(long key, int array) {
    long hash = IdHash.mix(key + array);
    return (int) (hash >>> (Long.SIZE - bits)) * DEPTH + array;
  }

  /** An upper bound of what was counted for a key; {@link #FULL} or more: at least that. */
  int estimate(long key) {
    return least(current, key) + least(older, key);
  }

  private int least(char[] cells, long key) {
    if (cells == null) {
      return 0;
    }
    int least = FULL;
    for (int array = 0; array < DEPTH; array++) {
      least = Math.min(least, cells[cell(key, array)]);
    }
    return least;
  }

  /** Counts for a key. */
  void add(long key, int count) {
    if (current == null) {
      current = new char[DEPTH << bits];
    }
    currentTotal += count;
    int raised = Math.min(FULL, least(current, key) + count);
    for (int array = 0; array < DEPTH; array++) {
      int cell = cell(key, array);
      current[cell] = (char) Math.max(current[cell], raised);
    }
  }

  /** Begins a period: what was counted in the one before the last is forgotten. */
  void turn() {
    char[] freed = older;
    older = current;
    olderTotal = currentTotal;
    current = freed;
    currentTotal = 0;
    if (current != null) {
      Arrays.fill(current, (char) 0);
    }
  }

  /** All that was counted and is not forgotten. */
  long total() {
    return currentTotal + olderTotal;
  }

  /** The share of keys that were never counted, and have an estimate all the same. */
  double takenShare() {
    return 1 - (1 - takenShare(current)) * (1 - takenShare(older));
  }

  /** All cells of a key have to be taken, one in each array. */
  private static double takenShare(char[] cells) {
    if (cells == null) {
      return 0;
    }
    long[] taken = new long[DEPTH];
    for (int cell = 0; cell < cells.length; cell++) {
      taken[cell % DEPTH] += cells[cell] > 0 ? 1 : 0;
    }
    double share = 1;
    for (long each : taken) {
      share *= (double) each * DEPTH / cells.length;
    }
    return share;
  }

  /**
   * By how much an estimate is too high at most, but for a share of 2 e^-4 = 3.7% of all keys: one
   * chance for each of the two sketches.
   */
  double errorMax() {
    return Math.E * total() / (1L << bits);
  }
}
