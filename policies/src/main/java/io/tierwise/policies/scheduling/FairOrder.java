package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;

/**
 * The job with the fewest running tasks, of equal ones the one submitted first. Source: Hadoop's
 * FairScheduler, one pool, equal weights, no preemption.
 */
public record FairOrder() implements JobOrder {
  static final String NAME = "fair";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public JobQueue newQueue(WorkView work) {
    return new KeyedJobs(work::running);
  }

  @Override
  public double score(int job, WorkView work) {
    return work.running(job);
  }

  @Override
  public String rule() {
    return "fewest running tasks";
  }
}
