package io.tierwise.simulator.jobs;

import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import java.util.Arrays;
import java.util.List;

/** Memory for tasks by node, all of it and what no task holds. */
final class NodeMemory {
  private final long[] all;
  private final long[] free;
  private final boolean isCounted;

  /**
   * No task holds any.
   *
   * @param all of each node; {@link NodeSpec#UNLIMITED} where none is counted
   */
  NodeMemory(long[] all) {
    this.all = all.clone();
    this.free = all.clone();
    this.isCounted = Arrays.stream(all).anyMatch(bytes -> bytes != NodeSpec.UNLIMITED);
  }

  /** Whether any node limits it. */
  boolean isCounted() {
    return isCounted;
  }

  boolean isLimited(int node) {
    return all[node] != NodeSpec.UNLIMITED;
  }

  long free(int node) {
    return free[node];
  }

  /** Whether so much could be free, but is not. */
  boolean isShortOf(long bytes, int node) {
    return bytes > free[node] && bytes <= all[node];
  }

  void take(long bytes, int node) {
    free[node] -= bytes;
  }

  void give(long bytes, int node) {
    free[node] += bytes;
  }

  /** Throws unless the tasks that run hold what each node lacks, and no more than it has. */
  void check(List<TaskAttempt> running) {
    long[] held = new long[all.length];
    for (TaskAttempt attempt : running) {
      held[attempt.node] += attempt.job().submitted.taskMemoryBytes(attempt.slots());
    }
    for (int node = 0; node < held.length; node++) {
      if (held[node] > all[node] || held[node] != all[node] - free[node]) {
        throw new IllegalStateException(
            "tasks of node "
                + node
                + " hold "
                + held[node]
                + " bytes of memory; it has "
                + all[node]
                + " and "
                + free[node]
                + " free");
      }
    }
  }
}
