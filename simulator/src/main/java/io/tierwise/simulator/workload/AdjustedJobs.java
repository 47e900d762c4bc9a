package io.tierwise.simulator.workload;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Another source's jobs: those that do not say what they compute get the model's figures, and those
 * of a real run have their maps where that had them.
 */
public final class AdjustedJobs implements JobSource {
  private final JobSource source;
  private final Map<String, List<Integer>> nodesByJob;
  private final double mapCyclesPerByte;
  private final double reduceCyclesPerByte;

  /**
   * @param nodesByJob by a job's name the node of each of its maps; other jobs are left alone
   * @param mapCyclesPerByte of a job that says nothing; 0: none
   * @param reduceCyclesPerByte of a job that says nothing; 0: none
   */
  public AdjustedJobs(
      JobSource source,
      Map<String, List<Integer>> nodesByJob,
      double mapCyclesPerByte,
      double reduceCyclesPerByte) {
    this.source = source;
    this.nodesByJob = Map.copyOf(nodesByJob);
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
    return says ? job : job.withCompute(mapCyclesPerByte, reduceCyclesPerByte);
  }

  @Override
  public boolean finished(JobSpec job, double atSeconds) {
    return source.finished(job, atSeconds);
  }

  @Override
  public List<Integer> mapNodes(JobSpec job) {
    List<Integer> nodes = nodesByJob.get(job.name());
    return nodes == null ? source.mapNodes(job) : nodes;
  }

  @Override
  public int inputFiles(JobSpec job) {
    return source.inputFiles(job);
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
