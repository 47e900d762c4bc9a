package io.tierwise.hadoop.secondary;

/** A file stays where it is, by a rule: nothing went wrong, and nothing was changed. */
final class StaysException extends Exception {
  private static final long serialVersionUID = 1L;

  StaysException(String reason) {
    super(reason);
  }
}
