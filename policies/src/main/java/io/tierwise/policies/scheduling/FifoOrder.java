package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;

/** The job that was submitted first. Source: Hadoop's FIFO scheduler, without its priorities. */
public record FifoOrder() implements JobOrder {
  static final String NAME = "fifo";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public JobQueue newQueue(WorkView work) {
    return new KeyedJobs(job -> job);
  }

  @Override
  public double score(int job, WorkView work) {
    return job;
  }

  @Override
  public String rule() {
    return "submitted first";
  }
}
