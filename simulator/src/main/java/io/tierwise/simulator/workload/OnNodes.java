package io.tierwise.simulator.workload;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Another source's jobs, whose maps run where those of a real run did. */
public final class OnNodes implements JobSource {
  private final JobSource source;
  private final Map<String, List<Integer>> nodesByJob;

  /**
   * @param nodesByJob by a job's name the node of each of its maps; other jobs are left alone
   */
  public OnNodes(JobSource source, Map<String, List<Integer>> nodesByJob) {
    this.source = source;
    this.nodesByJob = Map.copyOf(nodesByJob);
  }

  @Override
  public JobSpec next() throws IOException {
    return source.next();
  }

  @Override
  public List<Integer> mapNodes(JobSpec job) {
    return nodesByJob.getOrDefault(job.name(), List.of());
  }

  @Override
  public boolean finished(JobSpec job, double atSeconds) {
    return source.finished(job, atSeconds);
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
