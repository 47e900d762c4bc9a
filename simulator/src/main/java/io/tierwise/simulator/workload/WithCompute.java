package io.tierwise.simulator.workload;

import java.io.IOException;
import java.util.List;

/** Another source's jobs; those that do not say what they compute get the model's figures. */
public final class WithCompute implements JobSource {
  private final JobSource source;
  private final double mapCyclesPerByte;
  private final double reduceCyclesPerByte;

  public WithCompute(JobSource source, double mapCyclesPerByte, double reduceCyclesPerByte) {
    this.source = source;
    this.mapCyclesPerByte = mapCyclesPerByte;
    this.reduceCyclesPerByte = reduceCyclesPerByte;
  }

  @Override
  public JobSpec next() throws IOException {
    JobSpec job = source.next();
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

  @Override
  public boolean finished(JobSpec job, double atSeconds) {
    return source.finished(job, atSeconds);
  }

  @Override
  public List<Integer> mapNodes(JobSpec job) {
    return source.mapNodes(job);
  }

  @Override
  public double progress() {
    return source.progress();
  }

  @Override
  public BadRows badRows() {
    return source.badRows();
  }

  @Override
  public String warning() {
    return source.warning();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
