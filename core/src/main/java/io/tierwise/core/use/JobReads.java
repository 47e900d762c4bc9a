package io.tierwise.core.use;

import java.util.Arrays;
import java.util.List;

/**
 * Which jobs the reads of a {@link ReadHistory} belong to.
 *
 * @param jobs by number
 * @param jobOfRead of each read, {@link #NONE} for one of no job that is known
 */
public record JobReads(List<ReadingJob> jobs, int[] jobOfRead) {
  /** No job that is known. */
  public static final int NONE = -1;

  public JobReads {
    jobs = List.copyOf(jobs);
  }

  /**
   * A job, by what its engine wrote down of it.
   *
   * @param id the engine's
   * @param application the name that it was given
   * @param seconds from the start of its first task to its end
   * @param readSeconds of these, as long as tasks read its input
   * @param readersMax tasks that read at the same time, as a mean over {@code readSeconds}; one at
   *     least
   * @param hostCount that they ran on
   * @param readBytes of stored data; 0 where nothing says so
   * @param cpuSeconds that the tasks that read computed, all together
   */
  public record ReadingJob(
      String id,
      String application,
      double seconds,
      double readSeconds,
      int readersMax,
      int hostCount,
      long readBytes,
      double cpuSeconds) {}

  /** No job is known for so many reads. */
  public static JobReads none(int readCount) {
    int[] ofNone = new int[readCount];
    Arrays.fill(ofNone, NONE);
    return new JobReads(List.of(), ofNone);
  }

  /** Whether no job is known. */
  public boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** The last reads, as {@link ReadHistory#last} keeps them. */
  public JobReads last(int readsMax) {
    int first = Math.max(0, jobOfRead.length - readsMax);
    return new JobReads(jobs, Arrays.copyOfRange(jobOfRead, first, jobOfRead.length));
  }
}
