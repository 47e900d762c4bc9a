package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.UseWindow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * How sure it is that a file that comes to a fast tier now gets as many reads as pay for that while
 * it is held. What a host remembers of earlier windows; files have the numbers of its feed. Not
 * safe for concurrent use.
 *
 * <p>A file was read in w windows so far, the last one among them. Of the n times that a file had
 * been read in as many windows, k times it got enough reads in the h windows that followed. The
 * answer is the lower end of Wilson's interval at one standard deviation, z = 1: (p + z^2 / 2n - z
 * root(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n), p = k / n; 0 where n is 0. Windows from 1 to 3
 * are told apart; above, those between two powers of two go together. A file is at least as sure as
 * one that was read in fewer windows, so that the largest answer for up to w windows counts.
 *
 * <p>Source: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical Inference,
 * JASA 22 (1927). Own: windows with reads as what tells files apart. Files that are read in many
 * windows are read again; reads of one window may be a burst, however many.
 */
public final class PromotionOdds {
  /** Own: of promotions that are sure a tenth at most may fail to pay. */
  public static final double SURE = 0.9;

  private static final double DEVIATIONS = 1;
  private static final int EXACT_MAX = 2;
  private static final int GROUPS = EXACT_MAX + Integer.SIZE;

  private final int hold;
  private final double readsMin;

  /** Whole numbers. */
  private final double[] known = new double[GROUPS];

  private final double[] paid = new double[GROUPS];
  private final Deque<Past> pasts = new ArrayDeque<>();
  private int[] windowsRead = new int[0];
  private final FileNumbers numbers = new FileNumbers();
  private double notedSeconds = Double.NEGATIVE_INFINITY;

  /** The files that were read in a window, and their reads since. */
  private record Past(int window, int[] file, int[] group, int[] later) {}

  /**
   * Nothing is known yet.
   *
   * @param windows for which a file is held
   * @param readsMin that pay for its way to the tier
   */
  public PromotionOdds(int windows, double readsMin) {
    if (windows < 1 || !(readsMin > 0)) {
      throw new IllegalArgumentException(
          "hold of "
              + windows
              + " windows, and "
              + readsMin
              + " reads that pay; 1 or more, and more than 0 are allowed");
    }
    hold = windows;
    this.readsMin = readsMin;
  }

  /**
   * The number is that of another file from now on.
   *
   * @param formerReads in the window that runs, of the file that had the number before
   */
  public void begins(int file, int formerReads) {
    numbers.begins(file, formerReads);
    grow(file);
    windowsRead[file] = 0;
  }

  private void grow(int file) {
    if (file >= windowsRead.length) {
      int length = Math.max(file + 1, windowsRead.length + (windowsRead.length >> 1));
      windowsRead = Arrays.copyOf(windowsRead, length);
    }
  }

  /** A window has ended. */
  public void note(UseWindow ended) {
    for (Past past : pasts) {
      int[] reads = numbers.reads(past.file(), past.window(), ended);
      for (int i = 0; i < reads.length; i++) {
        past.later()[i] += reads[i];
      }
    }
    if (pasts.size() == hold) {
      learn(pasts.removeFirst());
    }
    pasts.addLast(read(ended));
    notedSeconds = ended.endSeconds();
    numbers.windowEnded();
  }

  private void learn(Past past) {
    for (int i = 0; i < past.file().length; i++) {
      known[past.group()[i]]++;
      paid[past.group()[i]] += past.later()[i] >= readsMin ? 1 : 0;
    }
  }

  private Past read(UseWindow ended) {
    int[] files = numbers.read(ended);
    int[] groups = new int[files.length];
    for (int i = 0; i < files.length; i++) {
      grow(files[i]);
      groups[i] = group(++windowsRead[files[i]]);
    }
    return new Past(numbers.window(), files, groups, new int[files.length]);
  }

  private static int group(int windows) {
    return windows <= EXACT_MAX
        ? windows
        : EXACT_MAX - 1 + Integer.SIZE - Integer.numberOfLeadingZeros(windows);
  }

  /**
   * The least probability that a file which comes now pays.
   *
   * @param now the window that ended, or the one that goes on as if it ended now
   */
  public double atLeast(UseWindow now, int file) {
    boolean isNoted = now.startSeconds() < notedSeconds;
    int before = file < windowsRead.length ? windowsRead[file] : 0;
    int group = group(before + (!isNoted && now.reads(file) > 0 ? 1 : 0));
    double most = 0;
    for (int each = 1; each <= group; each++) {
      most = Math.max(most, lowerEnd(paid[each], known[each]));
    }
    return most;
  }

  private static double lowerEnd(double k, double n) {
    if (n == 0) {
      return 0;
    }
    double square = DEVIATIONS * DEVIATIONS;
    double share = k / n;
    double middle = share + square / (2 * n);
    double half = DEVIATIONS * Math.sqrt(share * (1 - share) / n + square / (4 * n * n));
    return (middle - half) / (1 + square / n);
  }
}
