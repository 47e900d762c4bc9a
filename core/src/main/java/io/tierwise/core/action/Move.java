package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.Objects;

/**
 * A replica of a block changes its volume: a copy comes into being on the new one, and then the old
 * one goes.
 *
 * <p>{@code policy} is the deciding policy's name, {@code rule} the sentence that says which of its
 * rules decided.
 *
 * @param from the volume whose replica goes
 * @param source the volume that is read: that of any replica of the block
 * @param to the volume that gets one
 */
public record Move(String policy, String rule, int from, int source, int to, Cost cost) {
  public Move {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(cost, "cost");
  }

  /**
   * The cost of a move.
   *
   * @param writtenBytes on the new volume, as many as are read
   * @param networkBytes between two nodes; 0 inside one
   * @param seconds on two devices that do nothing else; {@link Double#NaN} when nobody measured one
   *     of them
   */
  public record Cost(long writtenBytes, long networkBytes, double seconds) {}

  /** Whether the old and the new volume are on one node. */
  public boolean insideNode(ClusterView view) {
    return view.nodeOfVolume(from) == view.nodeOfVolume(to);
  }

  /** One line for people. */
  public String describe(ClusterView view) {
    return policy + ": " + view.volumeText(from) + " -> " + view.volumeText(to) + ": " + rule;
  }
}
