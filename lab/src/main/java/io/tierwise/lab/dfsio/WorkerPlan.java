package io.tierwise.lab.dfsio;

import java.util.List;
import java.util.Map;

/**
 * The work of one worker process: some tasks of a run, on the node where somebody started it.
 *
 * @param fs the NameNode's URI
 * @param keys configuration keys for the client, on top of {@code HADOOP_CONF_DIR}'s
 * @param phase write or read
 * @param tasks the tasks; all run at the same time
 * @param replication of a write
 * @param blockBytes of a write
 * @param startEpochMillis when the tasks begin, so that processes begin together; 0 for at once
 */
public record WorkerPlan(
    String fs,
    Map<String, String> keys,
    Phase phase,
    List<DfsioTask> tasks,
    short replication,
    long blockBytes,
    long startEpochMillis) {
  /** The kind of work of the tasks. */
  public enum Phase {
    WRITE,
    READ
  }

  public WorkerPlan {
    if (fs == null || phase == null || tasks == null || tasks.isEmpty()) {
      throw new IllegalArgumentException(
          "a worker's plan needs fs, phase and at least one of tasks");
    }
    keys = keys == null ? Map.of() : Map.copyOf(keys);
    tasks = List.copyOf(tasks);
  }
}
