package io.tierwise.policies.scheduling;

import java.util.PrimitiveIterator;

/**
 * The jobs that wait for slots of one kind, in a policy's order. It belongs to the policy and is
 * kept by the host, which tells it what changes; so the first job is known without a look at all.
 *
 * <p>It holds nothing that a view does not say: one that is made anew and told of the same jobs is
 * equal to it.
 */
public interface JobQueue {
  /** The job waits; it may have waited before. */
  void add(int job);

  /** The job waits no more, if it did. */
  void remove(int job);

  /** Tasks of the job began or ended to run, whether it waits or not. */
  void changed(int job);

  /** The jobs that may get a slot now, who should get it first in front. */
  PrimitiveIterator.OfInt inOrder();

  /** Whether some that wait are not in the order now, because something holds them back. */
  default boolean holdsBack() {
    return false;
  }
}
