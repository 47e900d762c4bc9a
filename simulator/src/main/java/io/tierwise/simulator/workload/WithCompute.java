package io.tierwise.simulator.workload;

import java.io.IOException;

/** Another source's jobs; those that do not say what they compute get the model's figures. */
public final class WithCompute extends AdjustedJobs {
  private final double mapCyclesPerByte;
  private final double reduceCyclesPerByte;

  public WithCompute(JobSource source, double mapCyclesPerByte, double reduceCyclesPerByte) {
    super(source);
    this.mapCyclesPerByte = mapCyclesPerByte;
    this.reduceCyclesPerByte = reduceCyclesPerByte;
  }

  @Override
  public JobSpec next() throws IOException {
    JobSpec job = super.next();
    boolean says =
        job == null
            || job.mapCyclesPerByte() > 0
            || job.reduceCyclesPerByte() > 0
            || job.taskSeconds() > 0;
    return says
        ? job
        : new JobSpec(
            job.name(),
            job.application(),
            job.submitSeconds(),
            job.inputPath(),
            job.outputPath(),
            job.inputBytes(),
            job.inputFileBytes(),
            job.mapOutputBytes(),
            job.outputBytes(),
            job.mapCount(),
            job.reduceCount(),
            mapCyclesPerByte,
            reduceCyclesPerByte,
            job.localityShare(),
            job.taskSeconds(),
            job.outputReplication());
  }
}
