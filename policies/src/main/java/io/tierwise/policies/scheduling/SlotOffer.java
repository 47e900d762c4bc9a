package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;

/**
 * A free slot that a host offers.
 *
 * @param slots the slot's kind
 * @param node where it is
 * @param job the only job that it is offered to, or {@link WorkView#NONE} when all may take it
 * @param farthest tasks that stand farther to the node are not asked for
 */
public record SlotOffer(SlotKind slots, int node, int job, Nearness farthest) {
  /** A slot for any task. */
  public static SlotOffer toAll(SlotKind slots, int node) {
    return new SlotOffer(slots, node, WorkView.NONE, Nearness.ANYWHERE);
  }

  /** Whether the slot is offered to tasks of the job that stand so to its node. */
  public boolean isFor(int taker, Nearness nearness) {
    return (job == WorkView.NONE || job == taker) && nearness.compareTo(farthest) <= 0;
  }
}
