package io.tierwise.core.action;

import io.tierwise.core.data.Layout;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import java.util.List;

/**
 * The replicas of a block come into being on volumes that were chosen for it.
 *
 * @param policy the deciding policy's name
 * @param choices one a replica, in slot order; fewer than wanted when the cluster has no more nodes
 *     that could take one
 * @param async replicas that were left out because the policy lets them come after the write
 */
public record Place(String policy, List<Choice> choices, int async) implements Action {
  public Place {
    choices = List.copyOf(choices);
    if (async < 0) {
      throw new IllegalArgumentException("async is " + async + ", must not be negative");
    }
  }

  /** A decision about all replicas. */
  public Place(String policy, List<Choice> choices) {
    this(policy, choices, 0);
  }

  /** The same, with so many replicas left for later. */
  public Place leavingOut(int count) {
    return count == 0 ? this : new Place(policy, choices, count);
  }

  /**
   * One replica's volume.
   *
   * @param volume the volume's id
   * @param wanted the slot it was chosen for
   * @param given what had to be given up to find it
   * @param missedTier the tier that the slot wanted and did not get (of several the slowest), or
   *     {@code ClusterView.NONE} when it got what it wanted
   * @param reason why that tier did not take it; {@code NONE} when there is no missed tier
   */
  public record Choice(
      int volume, Layout.Slot wanted, GivenUp given, int missedTier, Refusal reason) {
    /** A choice that got its tier. */
    public Choice(int volume, Layout.Slot wanted, GivenUp given) {
      this(volume, wanted, given, ClusterView.NONE, Refusal.NONE);
    }
  }

  /** How far a choice is from its slot, in the order in which the engine gives things up. */
  public enum GivenUp {
    NOTHING("as wanted"),
    SPREAD("wanted tier, other place"),
    TIER("fallback tier, wanted place"),
    TIER_AND_SPREAD("fallback tier, other place"),
    REGION("other region"),
    RACK_LIMIT("more replicas in one rack than wanted");

    private final String text;

    GivenUp(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** The most that had to be given up. */
  @Override
  public String rule() {
    GivenUp most = GivenUp.NOTHING;
    for (Choice choice : choices) {
      most = choice.given().compareTo(most) > 0 ? choice.given() : most;
    }
    return most.text();
  }

  @Override
  public String describe(ClusterView view) {
    return policy + ": " + what(view);
  }

  /**
   * For each replica its tier, node and rack, the wish, and what was given up; then how many come
   * after the write.
   */
  @Override
  public String what(ClusterView view) {
    StringBuilder text = new StringBuilder();
    for (Choice choice : choices) {
      int node = view.nodeOfVolume(choice.volume());
      text.append(text.isEmpty() ? "" : " ")
          .append(view.volumeText(choice.volume()))
          .append('(')
          .append(view.rackName(view.rackOfNode(node)))
          .append(", ")
          .append(choice.given().text());
      if (choice.missedTier() != ClusterView.NONE) {
        text.append("; ")
            .append(view.tiers().tier(choice.missedTier()).name())
            .append(" is ")
            .append(choice.reason().text());
      }
      text.append(')');
    }
    if (async > 0) {
      text.append(text.isEmpty() ? "" : " ").append(async).append(" after the write");
    }
    return text.toString();
  }
}
