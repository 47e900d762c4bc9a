package io.tierwise.policies.popularity;

import java.util.Arrays;

/**
 * A predictor's memory of files from window to window: two numbers each, in arrays that grow with
 * the highest file number; 17 bytes a file, and {@link #notes} where a predictor wants more. The
 * host makes one for each predictor, keeps it, and hands it in. Not safe for concurrent use.
 */
public final class PopularityState {
  private double[] popularity = new double[0];
  private double[] lastReadSeconds = new double[0];
  private boolean[] isKnown = new boolean[0];
  private float[] notes = new float[0];

  /** A state that can be changed without this one: for a look at what a window would bring. */
  public PopularityState copy() {
    PopularityState copy = new PopularityState();
    copy.popularity = popularity.clone();
    copy.lastReadSeconds = lastReadSeconds.clone();
    copy.isKnown = isKnown.clone();
    copy.notes = notes.clone();
    return copy;
  }

  /** Makes room for file numbers below {@code fileCount}. */
  public void grow(int fileCount) {
    if (fileCount > isKnown.length) {
      // A half more, so that a namespace that grows is not copied in every window.
      int length = (int) Math.min(Integer.MAX_VALUE - 8L, fileCount + (isKnown.length >> 1));
      popularity = Arrays.copyOf(popularity, length);
      lastReadSeconds = Arrays.copyOf(lastReadSeconds, length);
      isKnown = Arrays.copyOf(isKnown, length);
    }
  }

  /** File numbers that there is room for; files beyond are unknown. */
  public int capacity() {
    return isKnown.length;
  }

  /** Whether the file existed at the end of the window before. */
  public boolean isKnown(int file) {
    return isKnown[file];
  }

  /** Popularity as the predictor left it; meaningless for an unknown file. */
  public double popularity(int file) {
    return popularity[file];
  }

  /** When the file was last read, or created; minus infinity for one that never was. */
  public double lastReadSeconds(int file) {
    return isKnown[file] ? lastReadSeconds[file] : Double.NEGATIVE_INFINITY;
  }

  /** Remembers a popularity, and when the file was last used. */
  public void remember(int file, double popularity, double lastReadSeconds) {
    isKnown[file] = true;
    this.popularity[file] = popularity;
    this.lastReadSeconds[file] = lastReadSeconds;
  }

  /** Changes the popularity of a known file. */
  public void setPopularity(int file, double popularity) {
    this.popularity[file] = popularity;
  }

  /**
   * More numbers of each file, one file's after the other's, with room for {@link #capacity} files.
   * The numbers of a file that is not known are left from another file: set them before use.
   *
   * @param width numbers a file, always the same
   */
  float[] notes(int width) {
    if (notes.length < (long) width * isKnown.length) {
      notes = Arrays.copyOf(notes, Math.multiplyExact(width, isKnown.length));
    }
    return notes;
  }

  /** Forgets a file that is no more. */
  public void forget(int file) {
    isKnown[file] = false;
  }
}
