package io.tierwise.simulator.workload;

import io.tierwise.simulator.scenario.StageSpec;

/**
 * Measures the work of jobs, to tell how far a run is.
 *
 * <p>Own: a job's work is the bytes that it reads, moves between its stages twice, and writes, and
 * a block's worth for its start. Only the ratio between jobs matters.
 */
public final class Work {
  private static final double START_BYTES = 128 << 20;

  private Work() {}

  /** The work of one job. */
  public static double of(JobSpec job) {
    if (job.stages().isEmpty()) {
      boolean reduces = job.mapOutputBytes() > 0;
      double maps = of(job, job.mapStage(0, reduces));
      return reduces ? maps + of(job, job.reduceStage(0)) : maps;
    }
    double work = 0;
    for (StageSpec stage : job.stages()) {
      work += of(job, stage);
    }
    return work;
  }

  /** The work of a stage of the job. */
  public static double of(JobSpec job, StageSpec stage) {
    double work = (stage.takes().isEmpty() ? START_BYTES : 0) + (double) stage.inputBytes();
    for (StageSpec.Edge edge : stage.takes()) {
      work +=
          (double)
              (job.stages().isEmpty()
                  ? job.mapOutputBytes()
                  : job.stages().get(edge.stage()).betweenBytes());
    }
    return work + (double) stage.betweenBytes() + (double) stage.outputBytes();
  }
}
