package io.tierwise.simulator.workload;

import java.util.List;
import java.util.Map;

/** Another source's jobs, whose maps run where those of a real run did. */
public final class OnNodes extends AdjustedJobs {
  private final Map<String, List<Integer>> nodesByJob;

  /**
   * @param nodesByJob by a job's name the node of each of its maps; other jobs are left alone
   */
  public OnNodes(JobSource source, Map<String, List<Integer>> nodesByJob) {
    super(source);
    this.nodesByJob = Map.copyOf(nodesByJob);
  }

  @Override
  public List<Integer> mapNodes(JobSpec job) {
    return nodesByJob.getOrDefault(job.name(), List.of());
  }
}
