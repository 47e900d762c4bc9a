package io.tierwise.policies.movement;

import io.tierwise.core.action.Move;
import java.util.List;

/**
 * The moves of one block, in the order in which they are to be made: each is right when those
 * before it were made, and those inside a node come first and may be made at once.
 *
 * @param unmoved the replicas that should move and cannot
 */
public record MovementPlan(List<Move> moves, List<Unmoved> unmoved) {
  /** For a block that is as it should be. */
  public static final MovementPlan NOTHING = new MovementPlan(List.of(), List.of());

  public MovementPlan {
    moves = List.copyOf(moves);
    unmoved = List.copyOf(unmoved);
  }

  /**
   * A replica that stays where it should not be.
   *
   * @param volume its volume; {@code ClusterView.NONE} for one that the view does not know
   */
  public record Unmoved(int volume, Reason reason) {}

  /** Why a replica stays. */
  public enum Reason {
    /** Every volume of the wanted tier is too full. */
    NO_ROOM("no room in the wanted tier"),
    /** The wanted tier has room, but only on nodes that may not take this block. */
    NO_NODE("no node of the wanted tier may take it"),
    /** Its move would leave the block in fewer racks than the layout needs. */
    RACKS("the block would stand in too few racks"),
    /** The engine would drop the copy and keep the replica. */
    UNDONE("the NameNode would undo it"),
    /** None of the block's replicas can be read. */
    NO_SOURCE("none of its replicas can be read"),
    /** The view does not know where the replica is. */
    UNKNOWN_PLACE("its node is not in service"),
    /** The policy does not tell what it wants of a stored block. */
    POLICY_DOES_NOT_TELL("its policy does not tell what it wants");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The words that messages use. */
    public String text() {
      return text;
    }
  }
}
