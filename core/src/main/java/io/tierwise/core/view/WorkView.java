package io.tierwise.core.view;

import io.tierwise.core.work.Job;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;

/**
 * The work that waits and runs, and the slots for it, as a scheduling policy sees them: a window on
 * counters that a host keeps, so that every answer costs the same whatever the backlog.
 *
 * <p>Jobs have the ids that the host gave them in order of submission; queues, kinds of node and
 * regions count from 0. Asked by the host's own thread only.
 */
public interface WorkView {
  /** Stands for "no such id". */
  int NONE = -1;

  /** Where the slots are. */
  ClusterView cluster();

  /** Nanoseconds on a clock that never goes back. */
  long nowNanos();

  /** A job that waits or runs. */
  Job job(int job);

  /** Queues that any job has been in until now. */
  int queueCount();

  String queueName(int queue);

  int queueOf(int job);

  /** Tasks of the job that wait for such a slot. */
  int waiting(SlotKind slots, int job);

  /** Whether one of them stands so to the node, and the node has the memory for it. */
  boolean waits(SlotKind slots, int job, Nearness nearness, int node);

  /** Memory for tasks that no task of the node holds; the largest number where none is counted. */
  long freeMemoryBytes(int node);

  /** Whether the node has the memory for a task of the job. */
  default boolean hasMemory(SlotKind slots, int job, int node) {
    return job(job).taskMemoryBytes(slots) <= freeMemoryBytes(node);
  }

  /**
   * How long the job has waited for a slot near its data: since it arrived, or got the last such
   * slot.
   */
  long waitedNanos(int job);

  /** Tasks of the job that run, in slots of all kinds. */
  int running(int job);

  /** Tasks of all jobs of the queue that run. */
  int runningInQueue(int queue);

  /** Mean seconds of the tasks of the job's first stage; NaN before one is done. */
  double meanTaskSeconds(int job);

  /** Likewise of one of its stages; NaN, too, when the host counts its first stage alone. */
  default double meanTaskSeconds(int job, int stage) {
    return stage == 0 ? meanTaskSeconds(job) : Double.NaN;
  }

  /** Slots of all kinds, on all nodes that are up. */
  int slotCount();

  /** Kinds of node: equal machines are of one kind. */
  int nodeKindCount();

  int kindOfNode(int node);

  String nodeKindName(int nodeKind);

  /**
   * Slots that no task has, on nodes of a kind in a region that are up, whatever memory these have
   * left.
   */
  int freeSlots(SlotKind slots, int nodeKind, int region);
}
