package io.tierwise.simulator.jobs;

import static io.tierwise.core.view.ClusterView.NONE;

import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.JobQueue;
import java.util.List;
import java.util.PrimitiveIterator;

/**
 * Nodes that get no task for now, since the job that is first in line for one of their free slots
 * lacks the memory: as tasks end there, what they held is kept for it. So small tasks do not pass
 * by a large one for ever.
 *
 * <p>Source: YARN's CapacityScheduler reserves a node for the container that is next and does not
 * fit. Deviation: it reserves as many nodes as containers wait; here all are kept until one has the
 * room. Nothing is written down: what is kept follows from what waits and what is free.
 */
final class KeptMemory {
  private static final List<SlotKind> MAPS_FIRST = List.of(SlotKind.MAP, SlotKind.REDUCE);
  private static final List<SlotKind> REDUCES_FIRST = List.of(SlotKind.REDUCE, SlotKind.MAP);

  private final LiveWork work;
  private final JobQueue mapsWaiting;
  private final JobQueue reducesWaiting;

  KeptMemory(LiveWork work, JobQueue mapsWaiting, JobQueue reducesWaiting) {
    this.work = work;
    this.mapsWaiting = mapsWaiting;
    this.reducesWaiting = reducesWaiting;
  }

  /** Whether nobody gets a slot of the node for now. */
  boolean isKept(int node) {
    return work.memory().isLimited(node)
        && (isKept(SlotKind.MAP, node) || isKept(SlotKind.REDUCE, node));
  }

  private boolean isKept(SlotKind slots, int node) {
    if (!work.slots(slots).isFree(node)) {
      return false;
    }
    int job = first(slots);
    return job != NONE && work.lacksMemory(slots, job, node);
  }

  /** In which turn slots are offered when memory is free: first those that the older job wants. */
  List<SlotKind> turns() {
    int reduces = first(SlotKind.REDUCE);
    int maps = first(SlotKind.MAP);
    boolean isOfReduces = reduces != NONE && (maps == NONE || reduces <= maps);
    return isOfReduces ? REDUCES_FIRST : MAPS_FIRST;
  }

  /** Whether any task waits that is not held back. */
  boolean isAnyWaiting() {
    return first(SlotKind.MAP) != NONE || first(SlotKind.REDUCE) != NONE;
  }

  private int first(SlotKind slots) {
    JobQueue queue = slots == SlotKind.MAP ? mapsWaiting : reducesWaiting;
    PrimitiveIterator.OfInt jobs = queue.inOrder();
    return jobs.hasNext() ? jobs.nextInt() : NONE;
  }
}
