package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.Objects;

/**
 * A replica of a block changes its volume: a copy comes into being on the new one, and then the old
 * one goes.
 *
 * @param from the volume whose replica goes
 * @param source the volume that is read: that of any replica of the block
 * @param to the volume that gets one
 */
public record Move(String policy, String rule, int from, int source, int to, Cost cost)
    implements Action {
  public Move {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(cost, "cost");
  }

  /** Whether the old and the new volume are on one node. */
  public boolean insideNode(ClusterView view) {
    return view.nodeOfVolume(from) == view.nodeOfVolume(to);
  }

  @Override
  public String what(ClusterView view) {
    return view.volumeText(from) + " -> " + view.volumeText(to);
  }
}
