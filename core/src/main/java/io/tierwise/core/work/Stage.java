package io.tierwise.core.work;

import java.util.List;
import java.util.Objects;

/**
 * A part of a job whose tasks do the same work on different data.
 *
 * @param name the same in all jobs of an application
 * @param slotKind the slots that its tasks run in
 * @param tasks how many it has
 * @param after the stages whose output it takes in: positions in the job's list
 * @param demand of all its tasks
 */
public record Stage(String name, SlotKind slotKind, int tasks, List<Integer> after, Demand demand) {
  public Stage {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(slotKind, "slotKind");
    Objects.requireNonNull(demand, "demand");
    after = List.copyOf(after);
    if (tasks < 0) {
      throw new IllegalArgumentException("stage " + name + " has " + tasks + " tasks");
    }
  }

  /** Tasks that run one after the other when it gets all slots that it can use. */
  int waves() {
    return tasks == 0 ? 0 : (tasks - 1) / Math.max(1, demand.slots()) + 1;
  }
}
