package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.UseWindow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The reads that a file is expected to get while a change is held, by its reads in the window that
 * ended: as many as files with as many reads got before, on the average. What a host remembers of
 * earlier windows; files have the numbers of its feed. Not safe for concurrent use.
 *
 * <p>A file with n reads is expected to get n r(1) + ... + n r(h) in the h windows to come. r(k) is
 * learned from all files that had as many reads in a window: their reads k windows later, over
 * those that they had. Files with 1 to 8 reads are told apart; above, those between two powers of
 * two go together. Where fewer than ten files are known, the next group below that is known stands
 * in. Where no r(k) is known, r(k - 1) does; r(0) is 1, so that without a past each window is
 * expected to be as the last one.
 *
 * <p>A file that was deleted, or forgotten by its host, was read no more; it counts like the
 * others.
 *
 * <p>Own: reads come in bursts, and most files that were read are not read again. Memory grows with
 * the reads of h windows.
 */
public final class ReadsToCome {
  /** Own: fewer say little. */
  private static final int KNOWN_MIN = 10;

  private static final int EXACT_MAX = 8;
  private static final int GROUPS = EXACT_MAX + Integer.SIZE;

  private final Deque<Past> pasts = new ArrayDeque<>();
  private final Lag[] lags;
  private final FileNumbers numbers = new FileNumbers();

  /** The files that were read in a window. */
  private record Past(int window, int[] file, int[] reads) {}

  /** All that is known of files so many windows later, by group. */
  private static final class Lag {
    private final double[] before = new double[GROUPS];
    private final double[] after = new double[GROUPS];
    private final long[] files = new long[GROUPS];

    void add(int reads, int later) {
      int group = group(reads);
      before[group] += reads;
      after[group] += later;
      files[group]++;
    }

    /** Reads then for each read now; {@code unknown} where nobody knows. */
    double ratio(int reads, double unknown) {
      for (int group = group(reads); group > 0; group--) {
        if (files[group] >= KNOWN_MIN) {
          return after[group] / before[group];
        }
      }
      return unknown;
    }
  }

  /** A change is held for so many windows. */
  public ReadsToCome(int windows) {
    if (windows < 1) {
      throw new IllegalArgumentException("hold of " + windows + " windows; 1 or more is allowed");
    }
    lags = new Lag[windows];
    Arrays.setAll(lags, lag -> new Lag());
  }

  /**
   * The number is that of another file from now on.
   *
   * @param formerReads in the window that runs, of the file that had the number before
   */
  public void begins(int file, int formerReads) {
    numbers.begins(file, formerReads);
  }

  /** A window has ended. */
  public void note(UseWindow ended) {
    for (Past past : pasts) {
      Lag lag = lags[numbers.window() - past.window() - 1];
      int[] later = numbers.reads(past.file(), past.window(), ended);
      for (int i = 0; i < later.length; i++) {
        lag.add(past.reads()[i], later[i]);
      }
    }
    if (pasts.size() == lags.length) {
      pasts.removeFirst();
    }
    int[] files = numbers.read(ended);
    int[] reads = Arrays.stream(files).map(ended::reads).toArray();
    pasts.addLast(new Past(numbers.window(), files, reads));
    numbers.windowEnded();
  }

  private static int group(int reads) {
    return reads <= EXACT_MAX
        ? reads
        : EXACT_MAX + Integer.SIZE - Integer.numberOfLeadingZeros(reads / EXACT_MAX);
  }

  /** The reads to come of a file with so many reads in the window that ended. */
  public double expected(int reads) {
    double ratio = 1;
    double sum = 0;
    for (Lag lag : lags) {
      ratio = lag.ratio(reads, ratio);
      sum += reads * ratio;
    }
    return sum;
  }
}
