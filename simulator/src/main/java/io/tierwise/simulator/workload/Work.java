package io.tierwise.simulator.workload;

/**
 * Measures the work of jobs, to tell how far a run is.
 *
 * <p>Own: a job's work is the bytes that it reads, moves between maps and reducers twice, and
 * writes, and a block's worth for its start. Only the ratio between jobs matters.
 */
public final class Work {
  private static final double START_BYTES = 128 << 20;

  private Work() {}

  /** The work of one job. */
  public static double of(JobSpec job) {
    return ofMaps(job) + ofReducers(job);
  }

  /** The work of a job's maps; all of it when it has no reducers. */
  public static double ofMaps(JobSpec job) {
    double written = (double) (hasReducers(job) ? job.mapOutputBytes() : job.outputBytes());
    return START_BYTES + (double) job.inputBytes() + written;
  }

  /** The work of a job's reducers. */
  public static double ofReducers(JobSpec job) {
    return hasReducers(job) ? (double) job.mapOutputBytes() + (double) job.outputBytes() : 0;
  }

  private static boolean hasReducers(JobSpec job) {
    return job.mapOutputBytes() > 0;
  }
}
