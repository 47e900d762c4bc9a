package io.tierwise.policies.movement;

import io.tierwise.policies.popularity.UseWindow;
import java.util.Arrays;

/**
 * Which files had which numbers in earlier windows: a host gives the number of a file that is gone
 * to another one. Not safe for concurrent use.
 */
final class FileNumbers {
  private static final int GONE = -1;

  private int[] bornIn = new int[0];

  /** Reads in the window in which a number's file began, of the file that had the number before. */
  private int[] formerReads = new int[0];

  private int window;

  /** The window that runs, from 0. */
  int window() {
    return window;
  }

  /** The number is that of another file from now on; the one before was read so often by now. */
  void begins(int file, int reads) {
    grow(file);
    if (bornIn[file] < window) {
      // Of several that had the number in one window the first one alone was there before.
      bornIn[file] = window;
      formerReads[file] = reads;
    }
  }

  private void grow(int file) {
    if (file >= bornIn.length) {
      int length = Math.max(file + 1, bornIn.length + (bornIn.length >> 1));
      bornIn = Arrays.copyOf(bornIn, length);
      formerReads = Arrays.copyOf(formerReads, length);
    }
  }

  /** The numbers of the files that were read in the window that ended, from the lowest on. */
  int[] read(UseWindow ended) {
    int count = 0;
    for (int file = 0; file < ended.fileCount(); file++) {
      count += ended.reads(file) > 0 ? 1 : 0;
    }
    int[] files = new int[count];
    int next = 0;
    for (int file = 0; file < ended.fileCount(); file++) {
      if (ended.reads(file) > 0) {
        grow(file);
        files[next++] = file;
      }
    }
    return files;
  }

  /**
   * The reads of files in the window that ended. One that is gone got those before its number was
   * another's, and none in later windows.
   *
   * @param files by their numbers in an earlier window; those that are gone are marked
   * @param since that window
   */
  int[] reads(int[] files, int since, UseWindow ended) {
    int[] reads = new int[files.length];
    for (int i = 0; i < files.length; i++) {
      int file = files[i];
      if (file != GONE && bornIn[file] > since) {
        files[i] = GONE;
        reads[i] = formerReads[file];
      } else if (file != GONE && file < ended.fileCount()) {
        reads[i] = ended.reads(file);
      }
    }
    return reads;
  }

  /** The next window runs. */
  void windowEnded() {
    window++;
  }
}
