package io.tierwise.simulator.workload;

/**
 * How much there is to do, for telling how far a run is.
 *
 * <p>Own: a job's work is the bytes that it reads, moves between maps and reducers twice, and
 * writes, and a block's worth for its start. Only the ratio between jobs matters.
 */
public final class Work {
  private static final double START_BYTES = 128 << 20;

  private Work() {}

  /** The work of one job. */
  public static double of(JobSpec job) {
    return START_BYTES
        + (double) job.inputBytes()
        + 2.0 * (double) job.mapOutputBytes()
        + (double) job.outputBytes();
  }
}
