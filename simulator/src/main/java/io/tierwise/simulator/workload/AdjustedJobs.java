package io.tierwise.simulator.workload;

import java.io.IOException;
import java.util.List;

/** Another source's jobs; those who extend it adjust something and leave the rest. */
abstract class AdjustedJobs implements JobSource {
  private final JobSource source;

  AdjustedJobs(JobSource source) {
    this.source = source;
  }

  @Override
  public JobSpec next() throws IOException {
    return source.next();
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
