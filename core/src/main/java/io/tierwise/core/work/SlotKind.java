package io.tierwise.core.work;

/** The kind of stage that a slot is for: stages of a job have slots of their own. */
public enum SlotKind {
  MAP("map"),
  REDUCE("reduce");

  private final String text;

  SlotKind(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
