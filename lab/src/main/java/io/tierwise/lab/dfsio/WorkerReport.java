package io.tierwise.lab.dfsio;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The measurements of one worker process.
 *
 * @param tasks a task each
 * @param startEpochNanos when its first task began, in the machine's wall clock
 * @param wallNanos from then to the end of its last task
 * @param refusals reads that DataNodes refused to it
 * @param processorNanos processor time that it used meanwhile
 */
public record WorkerReport(
    List<TaskFigures> tasks,
    long startEpochNanos,
    long wallNanos,
    long refusals,
    long processorNanos) {
  public WorkerReport {
    tasks = List.copyOf(tasks);
  }

  /** One run's result from the reports of all its workers, which ran on one machine's clock. */
  public static DfsioRun.Result merge(List<WorkerReport> reports) {
    List<TaskFigures> tasks = new ArrayList<>();
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    long refusals = 0;
    long processorNanos = 0;
    for (WorkerReport report : reports) {
      tasks.addAll(report.tasks());
      start = Math.min(start, report.startEpochNanos());
      end = Math.max(end, report.startEpochNanos() + report.wallNanos());
      refusals += report.refusals();
      processorNanos += report.processorNanos();
    }
    tasks.sort(Comparator.comparingInt(TaskFigures::index));
    return new DfsioRun.Result(
        tasks, DfsioFigures.of(tasks, end - start, refusals, processorNanos));
  }
}
