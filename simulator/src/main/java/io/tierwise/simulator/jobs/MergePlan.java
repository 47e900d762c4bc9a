package io.tierwise.simulator.jobs;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How many times sorted runs on a disk are read and written before one merge takes what is left.
 *
 * <p>Source: Hadoop's {@code org.apache.hadoop.mapred.Merger}, which merges the smallest segments
 * first, at most {@code factor} of them at a time, the first time so many that all later merges
 * take {@code factor}. All runs are of one size here.
 *
 * @param mergedRuns what merges before the last one read and write, in runs
 * @param mergedSegments segments that they read
 * @param lastSegments segments that the last merge reads, which together are all runs
 */
record MergePlan(long mergedRuns, long mergedSegments, int lastSegments) {
  /**
   * The merges of some runs.
   *
   * @param runs 1 or more
   * @param factor segments that are merged at a time, 2 or more
   */
  static MergePlan of(int runs, int factor) {
    if (runs <= factor) {
      return new MergePlan(0, 0, runs);
    }
    // A merged segment is longer than what is in front of it: the queue stays in order of length.
    Deque<Integer> segments = new ArrayDeque<>(runs);
    for (int i = 0; i < runs; i++) {
      segments.add(1);
    }
    int remainder = (runs - 1) % (factor - 1);
    int taken = remainder == 0 ? factor : remainder + 1;
    long mergedRuns = 0;
    long mergedSegments = 0;
    while (segments.size() > factor) {
      int length = 0;
      for (int i = 0; i < taken; i++) {
        length += segments.remove();
      }
      segments.add(length);
      mergedRuns += length;
      mergedSegments += taken;
      taken = factor;
    }
    return new MergePlan(mergedRuns, mergedSegments, segments.size());
  }
}
