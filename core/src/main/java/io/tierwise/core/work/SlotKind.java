package io.tierwise.core.work;

/** Which stage of a job a slot is for: the stages of a job have slots of their own. */
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
