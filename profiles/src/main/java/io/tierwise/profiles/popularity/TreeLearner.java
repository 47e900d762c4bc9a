package io.tierwise.profiles.popularity;

import io.tierwise.core.data.IdHash;
import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseFeatures;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import java.util.Arrays;

/**
 * Learns from windows of use, one after the other: a window that ends is the answer to what was
 * known at the end of the window before. It never asks a window what comes next.
 *
 * <p>Of the files that were read in a window, and of those that were not, some {@value
 * #ROWS_A_WINDOW} each are drawn as rows; a row stands for those that were not drawn, too. The
 * trees are fitted when the rows have become a fifth more, so that learning takes a time in
 * proportion to the windows, and {@link #finish once more} for those who want all of them. Not safe
 * for concurrent use.
 *
 * <p>A file that is gone at the end of the next window is an answer like the others: by the reads
 * that it got there until then, which are mostly none. Without these, trees would learn from files
 * that survive alone.
 */
public final class TreeLearner implements WindowFeed.Listener, AutoCloseable {
  /** Own, as {@link #ROWS_MAX}: a fitting takes a part of a second. Chosen before any trace. */
  private static final int ROWS_A_WINDOW = 2_000;

  /** A draw may come to more than is wanted. */
  private static final int ROWS_ROOM = ROWS_A_WINDOW + ROWS_A_WINDOW / 4;

  private static final int ROWS_MAX = 200_000;

  private static final int WIDTH = UseFeatures.count();

  /** The number is still that of the file that had it when the window began. */
  private static final int SAME = -1;

  private final int seed;
  private final PopularityState state = new PopularityState();
  private final TrainingRows rows = new TrainingRows(ROWS_MAX);
  private final BoostedTrees boosted;

  /** Reads in the window that runs of the file that had a number before, or {@link #SAME}. */
  private int[] formerReads = new int[0];

  private final float[] asked = new float[2 * ROWS_ROOM * WIDTH];
  private final int[] askedFiles = new int[2 * ROWS_ROOM];
  private final float[] askedWeights = new float[2 * ROWS_ROOM];
  private int askedCount;
  private int windows;
  private long fittedRows;
  private DecisionTrees trees = DecisionTrees.NONE;

  /**
   * Nothing is learned yet.
   *
   * @param windowSeconds length of the windows
   * @param seed draws files; the same windows and seed give the same trees
   */
  public TreeLearner(double windowSeconds, int seed) {
    this.seed = seed;
    boosted = new BoostedTrees(windowSeconds, seed);
  }

  @Override
  public void begins(int file, int reads) {
    state.grow(file + 1);
    state.forget(file);
    if (file >= formerReads.length) {
      int length = formerReads.length;
      formerReads = Arrays.copyOf(formerReads, Math.max(file + 1, length + (length >> 1)));
      Arrays.fill(formerReads, length, formerReads.length, SAME);
    }
    if (formerReads[file] == SAME) {
      // Of several that had the number in one window the first one alone was asked about.
      formerReads[file] = reads;
    }
  }

  /** Reads in the window that ended of the file that had the number when the window began. */
  private int reads(int file, UseWindow ended) {
    if (file < formerReads.length && formerReads[file] != SAME) {
      return formerReads[file];
    }
    return file < ended.fileCount() ? ended.reads(file) : 0;
  }

  /**
   * Learns from a window.
   *
   * @throws OperatorException one line: this machine cannot run the library
   */
  @Override
  public void windowEnded(UseWindow window) {
    for (int question = 0; question < askedCount; question++) {
      boolean isRead = reads(askedFiles[question], window) > 0;
      rows.add(asked, question * WIDTH, isRead, askedWeights[question]);
    }
    Arrays.fill(formerReads, SAME);
    UseFeatures.remember(window, state);
    windows++;
    ask(window);
    if (rows.differ() && rows.added() - fittedRows >= rows.count() / 5) {
      fit();
    }
  }

  /**
   * Learns from the rows that wait for more.
   *
   * @throws OperatorException one line: this machine cannot run the library
   */
  public void finish() {
    if (rows.differ() && rows.added() > fittedRows) {
      fit();
    }
  }

  private void fit() {
    fittedRows = rows.added();
    trees = boosted.fit(rows);
  }

  /** Draws the files about which the next window is asked. */
  private void ask(UseWindow window) {
    askedCount = 0;
    int read = 0;
    int idle = 0;
    for (int file = 0; file < window.fileCount(); file++) {
      if (window.exists(file)) {
        read += window.reads(file) > 0 ? 1 : 0;
        idle += window.reads(file) > 0 ? 0 : 1;
      }
    }
    ask(window, true, read);
    ask(window, false, idle);
  }

  private void ask(UseWindow window, boolean isRead, int count) {
    double share = Math.min(1, ROWS_A_WINDOW / (double) count);
    int end = askedCount + ROWS_ROOM;
    for (int file = 0; file < window.fileCount() && askedCount < end; file++) {
      if (window.exists(file) && (window.reads(file) > 0) == isRead && isDrawn(file, share)) {
        UseFeatures.fill(window, state, file, asked, askedCount * WIDTH);
        askedFiles[askedCount] = file;
        askedWeights[askedCount++] = (float) (1 / share);
      }
    }
  }

  private boolean isDrawn(int file, double share) {
    long drawn = IdHash.mix(IdHash.mix(((long) seed << 32) | windows) + file);
    // The upper bits as a number from 0 to 1.
    return (drawn >>> 11) * 0x1p-53 < share;
  }

  /** The trees until now; none before there is something to tell apart. */
  public DecisionTrees trees() {
    return trees;
  }

  /** Rows that were learned from. */
  public long rows() {
    return fittedRows;
  }

  /** Windows that have ended. */
  public int windows() {
    return windows;
  }

  @Override
  public void close() {
    boosted.close();
  }
}
