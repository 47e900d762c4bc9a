package io.tierwise.core.use;

import io.tierwise.core.view.FileUse;
import java.util.Arrays;

/** How often a file was read, window by window: what a predictor of its popularity reads. */
public final class UseCounts {
  private final long windowMillis;
  private final long[] counts;
  private final FileUse use;
  private final int replicaCount;

  /**
   * Counts of windows that follow each other and are equally long.
   *
   * @param counts reads in each window, the most recent last
   * @param use size and last use of the file
   * @param replicaCount replicas that each block should have; 0 when unknown
   */
  public UseCounts(long windowMillis, long[] counts, FileUse use, int replicaCount) {
    if (windowMillis <= 0) {
      throw new IllegalArgumentException("windows of " + windowMillis + " ms");
    }
    this.windowMillis = windowMillis;
    this.counts = counts.clone();
    this.use = use;
    this.replicaCount = replicaCount;
  }

  public long windowMillis() {
    return windowMillis;
  }

  public int windowCount() {
    return counts.length;
  }

  /** Reads in a window; the one with the highest index is the most recent. */
  public long count(int window) {
    return counts[window];
  }

  /** Reads in each window, the most recent last. */
  public long[] counts() {
    return counts.clone();
  }

  /** Reads in all windows. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  public FileUse use() {
    return use;
  }

  /** Replicas that each block should have; 0 when unknown. */
  public int replicaCount() {
    return replicaCount;
  }
}
