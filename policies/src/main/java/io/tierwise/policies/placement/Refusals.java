package io.tierwise.policies.placement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.core.view.RefusalCounts;

/** The answers of a wanted tier's stores in the latest look for a slot. */
final class Refusals {
  private final RefusalCounts answers = new RefusalCounts();
  private boolean racksCut;

  void clear() {
    answers.clear();
    racksCut = false;
  }

  void note(Refusal refusal) {
    answers.note(refusal);
  }

  /** Notes that a rack was left out although a node of it may have no replica. */
  void noteRackCut() {
    racksCut = true;
  }

  /**
   * Why {@code tier} gave nothing: the commonest of what its stores answered and why its other
   * volumes stand in no cell; else that its racks are full, or that it has no node without a
   * replica. A full tier stays full when its last store with room is refused for another reason.
   */
  Refusal reason(int tier, ClusterView view) {
    Refusal reason = answers.commonestWith(view.absences(tier));
    if (reason != Refusal.NONE) {
      return reason;
    }
    return racksCut ? Refusal.RACK_LIMIT : Refusal.NO_NODE;
  }
}
