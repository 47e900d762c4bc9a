package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;
import java.util.List;

/** Puts the jobs that wait in an order. Stateless beyond its settings. */
public interface JobOrder {
  /** The specification's first word and the settings of the order. */
  String name();

  /** An empty queue in this order. */
  JobQueue newQueue(WorkView work);

  /** The number by which the job stands where it does; less is sooner. */
  double score(int job, WorkView work);

  /** Why the first one is first, for people. */
  String rule();

  /** Whether nothing holds the job back. */
  default boolean mayTake(int job, WorkView work) {
    return true;
  }

  /** As {@link SchedulingPolicy#queueNames}. */
  default List<String> queueNames() {
    return List.of();
  }

  /** As {@link SchedulingPolicy#tasksATurn}. */
  default int tasksATurn() {
    return 1;
  }
}
