package io.tierwise.policies.movement;

/** Why a block is left alone, whatever it should be. */
public enum Hindrance {
  BEING_WRITTEN("it is being written"),
  ALL_CORRUPT("all its replicas are corrupt"),
  NODE_LEAVES("one of its nodes is being decommissioned or in maintenance"),
  REPLICA_MISSING("HDFS has yet to copy a missing replica"),
  REPLICA_TOO_MANY("HDFS has yet to drop a replica too many"),
  NOT_ASKED("the NameNode could not be asked about it (run again when it answers)");

  private final String text;

  Hindrance(String text) {
    this.text = text;
  }

  /** The words that messages use. */
  public String text() {
    return text;
  }
}
