package io.tierwise.core.work;

/** How a task that waits stands to a node, the one that should run there first in front. */
public enum Nearness {
  /** Its data lies on the node. */
  ON_NODE("its data lies on the node"),

  /** It has no place of its own: each node serves it alike. */
  UNPLACED("each node serves it alike"),

  /** Its data lies on another node of the rack. */
  IN_RACK("its data lies in the rack"),

  /** Its data may lie anywhere. */
  ANYWHERE("its data lies elsewhere");

  private final String text;

  Nearness(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
