package io.tierwise.core.use;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads of files, in order of time.
 *
 * @param files by number
 * @param readFiles the number of the file of each read
 * @param readSeconds when each began, since the first
 */
public record ReadHistory(List<ReadFile> files, int[] readFiles, double[] readSeconds) {
  public ReadHistory {
    files = List.copyOf(files);
    if (readFiles.length != readSeconds.length) {
      throw new IllegalArgumentException(readFiles.length + " files, " + readSeconds.length);
    }
  }

  /**
   * A file that was read.
   *
   * @param replicas that it should have
   * @param onFastTier whether one of them should be on a fast tier
   * @param readBytes that a read is of, as a mean: its size where nobody knows
   */
  public record ReadFile(long bytes, int replicas, boolean onFastTier, long readBytes) {
    /** Read as a whole. */
    public ReadFile(long bytes, int replicas, boolean onFastTier) {
      this(bytes, replicas, onFastTier, bytes);
    }
  }

  public int readCount() {
    return readFiles.length;
  }

  /** The last reads, and the files of these alone. */
  public ReadHistory last(int readsMax) {
    int first = Math.max(0, readFiles.length - readsMax);
    if (first == 0) {
      return this;
    }
    int[] numbers = new int[files.size()];
    List<ReadFile> left = new ArrayList<>();
    int[] lastFiles = new int[readFiles.length - first];
    double[] lastSeconds = new double[lastFiles.length];
    for (int i = 0; i < lastFiles.length; i++) {
      int file = readFiles[first + i];
      if (numbers[file] == 0) {
        left.add(files.get(file));
        numbers[file] = left.size();
      }
      lastFiles[i] = numbers[file] - 1;
      lastSeconds[i] = readSeconds[first + i] - readSeconds[first];
    }
    return new ReadHistory(left, lastFiles, lastSeconds);
  }
}
