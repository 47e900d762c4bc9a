package io.tierwise.core.view;

/** Why a node or a volume cannot take a block at this instant; {@link #NONE} when it can. */
public enum Refusal {
  NONE("usable"),
  FULL("full"),
  OVERLOADED("overloaded"),
  STALE("stale"),
  SLOW("slow"),
  DECOMMISSIONING("decommissioning"),
  MAINTENANCE("in maintenance"),
  DEAD("dead"),
  EXCLUDED("excluded"),
  MISSING("missing");

  private final String text;

  Refusal(String text) {
    this.text = text;
  }

  /** The word that messages use. */
  public String text() {
    return text;
  }
}
