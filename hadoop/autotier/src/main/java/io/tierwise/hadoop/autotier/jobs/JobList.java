package io.tierwise.hadoop.autotier.jobs;

import java.util.List;
import java.util.Set;

/**
 * The MapReduce jobs that are not over.
 *
 * @param waiting the one that waits longest first
 * @param running ids of applications
 * @param meanWaitSeconds of jobs that began, the last ones weighing most; 0 before one did
 */
public record JobList(List<WaitingJob> waiting, Set<String> running, double meanWaitSeconds) {
  public JobList {
    waiting = List.copyOf(waiting);
    running = Set.copyOf(running);
  }

  /** Whether the application waits or runs. */
  public boolean has(String application) {
    return running.contains(application)
        || waiting.stream().anyMatch(job -> job.application().equals(application));
  }
}
