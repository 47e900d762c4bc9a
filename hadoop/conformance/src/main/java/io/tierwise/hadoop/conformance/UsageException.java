package io.tierwise.hadoop.conformance;

/** A mistake of the caller; the message names the bad value and what to change. */
public final class UsageException extends Exception {

  /** Exit codes of the command. */
  static final int BAD_INPUT = 2;

  static final int BAD_STATE = 3;

  private final int exitCode;

  private UsageException(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /** An argument or a file of ours is wrong. */
  static UsageException badInput(String message) {
    return new UsageException(message, BAD_INPUT);
  }

  /** Something that should have been built or installed is not there. */
  static UsageException badState(String message) {
    return new UsageException(message, BAD_STATE);
  }

  int exitCode() {
    return exitCode;
  }
}
