package io.tierwise.simulator.jobs;

import io.tierwise.simulator.scenario.PolicySpec.Scheduler;
import java.util.Comparator;
import java.util.List;

/**
 * Which waiting job gets a free slot first: the stock schedulers, as baselines.
 *
 * <p>FIFO: the one submitted first. FAIR: the one with the fewest running tasks. CAPACITY: of the
 * queues, one for each application and all of equal capacity, the one with the fewest running
 * tasks, and in it the job submitted first. Ties go to the job submitted first.
 */
final class JobOrder {
  private static final Comparator<JobRun> FEWEST_RUNNING =
      Comparator.<JobRun>comparingInt(job -> job.runningTasks).thenComparingInt(job -> job.id);

  private final Scheduler scheduler;

  JobOrder(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Sorts jobs, the first one first; {@code all} are those that run. */
  void sort(List<JobRun> waiting, List<JobRun> all) {
    if (waiting.size() < 2) {
      return;
    }
    switch (scheduler) {
      case FIFO -> waiting.sort(Comparator.comparingInt(job -> job.id));
      case FAIR -> waiting.sort(FEWEST_RUNNING);
      case CAPACITY ->
          waiting.sort(
              Comparator.<JobRun>comparingInt(job -> runningOf(job.spec.application(), all))
                  .thenComparingInt(job -> job.id));
    }
  }

  private static int runningOf(String queue, List<JobRun> all) {
    int running = 0;
    for (JobRun job : all) {
      if (job.spec.application().equals(queue)) {
        running += job.runningTasks;
      }
    }
    return running;
  }
}
