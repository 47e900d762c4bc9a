package io.tierwise.policies.access;

/** Why a replica stands first in an order. */
public enum AccessReason {
  NEAREST("nearest replica"),
  FASTEST_TIER("fastest tier"),
  LOCAL("local replica, whatever its tier"),
  LOCAL_SHARE("local share of the balance"),
  REMOTE_SHARE("remote share of the balance"),
  WEIGHTED_DRAW("weighted random draw"),
  UNIFORM_DRAW("uniform random draw"),
  SOONEST("soonest expected"),
  AS_LISTED("as listed: paths unknown here"),
  SEEN_SLOW("as listed, but for what was seen slow"),
  SATURATED("fast node saturated, next replica"),
  EXPLORED("exploring another strategy"),
  ONLY_REPLICA("only replica");

  private final String text;

  AccessReason(String text) {
    this.text = text;
  }

  /** The words that explanations use. */
  public String text() {
    return text;
  }
}
