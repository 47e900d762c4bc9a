package io.tierwise.core.view;

/** Why a node, a volume or a tier cannot take a block now; {@link #NONE} when it can. */
public enum Refusal {
  NONE("usable"),
  FULL("full"),
  OVERLOADED("overloaded"),
  STALE("stale"),
  SLOW("slow"),
  DECOMMISSIONING("decommissioning"),
  MAINTENANCE("in maintenance"),
  DEAD("dead"),
  /** The client or the engine asked to leave the node out. */
  EXCLUDED("excluded"),
  /** All nodes left stand in racks that hold as many replicas of the block as they may. */
  RACK_LIMIT("in full racks"),
  /** A replica of the block stands in the node's failure domain. */
  DOMAIN("in used failure domains"),
  /** The file would take room that is limited for it and not counted, or counted and used up. */
  QUOTA("over quota"),
  /** Nothing refused: there is no node left that holds no replica of the block. */
  NO_NODE("without a free node");

  private final String text;

  Refusal(String text) {
    this.text = text;
  }

  /** The word that messages use. */
  public String text() {
    return text;
  }
}
