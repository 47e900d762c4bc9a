package io.tierwise.hadoop.autotier.jobs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The jobs that are not over, by the ids of their applications: YARN may have ten thousand of them.
 *
 * @param waiting the one that waits longest first
 * @param running those that began
 * @param overdue those that have waited for so long that they hold no room any more
 * @param meanWaitSeconds of jobs that began, the last ones weighing most; 0 before one did
 */
public record JobList(
    Map<String, SubmittedJob> waiting,
    Map<String, SubmittedJob> running,
    Map<String, SubmittedJob> overdue,
    double meanWaitSeconds) {
  public JobList {
    waiting = Collections.unmodifiableMap(new LinkedHashMap<>(waiting));
    running = Collections.unmodifiableMap(new LinkedHashMap<>(running));
    overdue = Collections.unmodifiableMap(new LinkedHashMap<>(overdue));
  }

  /** One in which no job is overdue. */
  public JobList(
      Map<String, SubmittedJob> waiting,
      Map<String, SubmittedJob> running,
      double meanWaitSeconds) {
    this(waiting, running, Map.of(), meanWaitSeconds);
  }

  /** The same; jobs that have waited for longer are overdue. */
  public JobList within(long waitMillisMax, long nowMillis) {
    Map<String, SubmittedJob> still = new LinkedHashMap<>(waiting);
    Map<String, SubmittedJob> late = new LinkedHashMap<>(waiting);
    still.values().removeIf(job -> nowMillis - job.submittedMillis() > waitMillisMax);
    late.keySet().removeAll(still.keySet());
    return new JobList(still, running, late, meanWaitSeconds);
  }

  /** Whether the application runs, or waits and is not overdue. */
  public boolean has(String application) {
    return running.containsKey(application) || waiting.containsKey(application);
  }
}
