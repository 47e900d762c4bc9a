package io.tierwise.policies.placement;

import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementRequest.Allowance;

/** The part of a file's allowance that a decision has used. */
final class AllowanceUse {
  private AllowanceUse() {}

  /** Whether {@code volume} may be taken beside the first {@code count} of {@code choices}. */
  static boolean allows(Allowance allowance, int volume, Choice[] choices, int count) {
    int limit = allowance.limitOf(volume);
    if (limit == ClusterView.NONE) {
      return true;
    }
    int left = allowance.replicasLeft(limit);
    for (int i = 0; i < count; i++) {
      left -= allowance.limitOf(choices[i].volume()) == limit ? 1 : 0;
    }
    return left > 0;
  }
}
