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
  /** Segments of one length that stand side by side, or some of them. */
  private record Group(long length, long count) {}

  /**
   * The merges of some runs.
   *
   * @param runs 1 or more
   * @param factor segments that are merged at a time, 2 or more
   */
  static MergePlan of(long runs, int factor) {
    if (runs <= factor) {
      return new MergePlan(0, 0, (int) runs);
    }
    long remainder = (runs - 1) % (factor - 1);
    long taken = remainder == 0 ? factor : remainder + 1;
    // A merged segment is longer than what is in front of it: the queue stays in order of length.
    Deque<Group> segments = new ArrayDeque<>();
    segments.add(new Group(1, runs));
    long mergedRuns = merge(segments, taken, 1);
    long mergedSegments = taken;
    long left = runs - taken + 1;
    while (left > factor) {
      long together = Math.max(1, segments.element().count() / factor);
      mergedRuns += merge(segments, factor, together);
      mergedSegments += together * factor;
      left -= together * (factor - 1);
    }
    return new MergePlan(mergedRuns, mergedSegments, factor);
  }

  /**
   * Merges so many times so many segments, all of one length when it is more than once.
   *
   * @return the length of all that is merged
   */
  private static long merge(Deque<Group> segments, long taken, long times) {
    long length = 0;
    for (long wanted = taken * times; wanted > 0; ) {
      Group first = segments.remove();
      long count = Math.min(wanted, first.count());
      length += count * first.length();
      wanted -= count;
      if (count < first.count()) {
        segments.addFirst(new Group(first.length(), first.count() - count));
      }
    }
    segments.add(new Group(length / times, times));
    return length;
  }
}
