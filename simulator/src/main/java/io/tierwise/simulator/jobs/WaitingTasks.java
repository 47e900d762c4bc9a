package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import java.util.function.IntUnaryOperator;

/**
 * Tasks of a stage that wait for slots of reducers: last in, first out, or where each has its input
 * on one node, those first whose node has the slot.
 */
final class WaitingTasks {
  private final IntStack anywhere = new IntStack();

  /** Those whose nodes are known, or null. */
  private PendingMaps placed;

  void add(int task) {
    if (placed == null) {
      anywhere.push(task);
    } else {
      placed.add(task);
    }
  }

  /**
   * Tells all that wait where their input is.
   *
   * @param tasks of the stage
   * @param nodeOf a task's input, or {@link ClusterView#NONE}
   */
  void place(int tasks, int nodeCount, IntUnaryOperator nodeOf) {
    while (placed != null && placed.count() > 0) {
      int task = placed.last();
      placed.take(task);
      anywhere.push(task);
    }
    placed = new PendingMaps(tasks, 1, nodeCount);
    IntStack reversed = new IntStack();
    while (!anywhere.isEmpty()) {
      reversed.push(anywhere.pop());
    }
    while (!reversed.isEmpty()) {
      int task = reversed.pop();
      placed.add(task);
      int node = nodeOf.applyAsInt(task);
      if (node != ClusterView.NONE) {
        placed.addLocation(task, 0, node);
      }
    }
  }

  int count() {
    return anywhere.size() + (placed == null ? 0 : placed.count());
  }

  /** The one that {@link #take} takes for a node that has nobody's input; there must be one. */
  int next() {
    return placed == null ? anywhere.peek() : placed.last();
  }

  /** Takes one for a slot of the node; there must be one. */
  int take(int node) {
    if (placed == null) {
      return anywhere.pop();
    }
    int near = placed.takeOn(node);
    if (near != ClusterView.NONE) {
      return near;
    }
    int task = placed.last();
    placed.take(task);
    return task;
  }
}
