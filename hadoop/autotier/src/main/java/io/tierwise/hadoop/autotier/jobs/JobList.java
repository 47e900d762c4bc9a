package io.tierwise.hadoop.autotier.jobs;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The MapReduce jobs that are not over, by the ids of their applications: YARN may have ten
 * thousand of them.
 *
 * @param waiting the one that waits longest first
 * @param running those that began
 * @param meanWaitSeconds of jobs that began, the last ones weighing most; 0 before one did
 */
public record JobList(
    Map<String, SubmittedJob> waiting, Map<String, SubmittedJob> running, double meanWaitSeconds) {
  public JobList {
    waiting = Collections.unmodifiableMap(new LinkedHashMap<>(waiting));
    running = Collections.unmodifiableMap(new LinkedHashMap<>(running));
  }

  /** Whether the application waits or runs. */
  public boolean has(String application) {
    return running.containsKey(application) || waiting.containsKey(application);
  }
}
