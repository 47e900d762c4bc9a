package io.tierwise.policies.scheduling;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Task;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Answers the offer of a free slot: which job's task takes it, or that it stays free. Stateless
 * beyond its settings; what it needs to know of the backlog it finds in the {@link JobQueue} that
 * it made and that the host keeps.
 *
 * <p>A host offers slots one at a time, as nodes ask for work. By refusing, a policy chooses the
 * kind of node, the region, the moment, or the number of slots that a job begins with; by its
 * answer the job, the task's nearness to its data, and the tier of its intermediate data.
 *
 * <p>Promises of every implementation (the contract suite checks them): the job waits for such a
 * slot, and a task of it stands so to the node, which has the memory for it; an offer for one job
 * goes to that job or to none; no job is forgotten, nor overtaken without end by younger ones; the
 * same view, queue, and seed give the same answer, and a queue that was kept gives the answer of
 * one that was made anew; neither time nor memory of a decision grows with the backlog, and nothing
 * that it allocates outlives it.
 */
public interface SchedulingPolicy {
  /**
   * The policy's specification in canonical form; {@link SchedulingPolicies#parse} accepts it, with
   * the usual defaults of hosts.
   */
  String name();

  /** An empty queue for the jobs that wait for slots of one kind. */
  JobQueue newQueue(SlotKind slots, WorkView work);

  /**
   * Decides about a free slot.
   *
   * @param queue the jobs that wait for slots of the offer's kind
   */
  Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random);

  /**
   * How long a job may wait for a slot near its data; a host that was refused offers slots again to
   * a job that has waited so long.
   */
  default long patienceNanos() {
    return 0;
  }

  /** Tasks that a node may get each time it asks. */
  default int tasksATurn() {
    return 1;
  }

  /**
   * Whether the nodes near a job's data are asked first when it arrives. Else nodes with free slots
   * ask in turn, wherever they stand.
   */
  default boolean asksNearNodesFirst() {
    return true;
  }

  /** Queues that its settings name: a host refuses those in which it knows no job can be. */
  default List<String> queueNames() {
    return List.of();
  }

  /**
   * After how many seconds a task that runs is late, so that a second attempt is worth a slot;
   * infinite: neither it nor any other task of its stage ever is.
   */
  default double lateAfterSeconds(Task task, WorkView work) {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Whether a second attempt of a late task may take a free slot of the node. Such a slot is not
   * offered: the task does not wait.
   */
  default boolean allowsSecondAttempt(Task task, int node, WorkView work) {
    return true;
  }
}
