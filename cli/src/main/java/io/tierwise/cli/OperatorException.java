package io.tierwise.cli;

/** Something that the person at the keyboard can mend; the message is one line that says how. */
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Bad input: nothing was changed. */
  public static final int BAD_INPUT = 2;

  /** The cluster, a permission or a state stands in the way. */
  public static final int CLUSTER = 3;

  private final int exitCode;

  private OperatorException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** A value that was given is wrong: exit code 2. */
  public static OperatorException badInput(String message) {
    return new OperatorException(BAD_INPUT, message, null);
  }

  /** The cluster, a permission or a state stands in the way: exit code 3. */
  public static OperatorException cluster(String message, Throwable cause) {
    return new OperatorException(CLUSTER, message, cause);
  }

  public int exitCode() {
    return exitCode;
  }
}
