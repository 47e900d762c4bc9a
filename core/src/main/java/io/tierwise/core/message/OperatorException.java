package io.tierwise.core.message;

/** Something that the person at the keyboard can mend; the message is one line that says how. */
public final class OperatorException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The thing that has to change before another attempt. */
  public enum Kind {
    /** A value that was given; nothing was changed. */
    BAD_INPUT,
    /** The cluster, a permission or a state. */
    CLUSTER
  }

  private final Kind kind;

  private OperatorException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** A value that was given is wrong. */
  public static OperatorException badInput(String message) {
    return new OperatorException(Kind.BAD_INPUT, message, null);
  }

  /** The cluster, a permission or a state stands in the way. */
  public static OperatorException cluster(String message, Throwable cause) {
    return new OperatorException(Kind.CLUSTER, message, cause);
  }

  /**
   * Refuses a number below the least that makes sense.
   *
   * @param option names it in the message
   */
  public static void requireAtLeast(int least, String option, int value) {
    if (value < least) {
      throw badInput(option + " " + value + " is too little: give " + least + " or more");
    }
  }

  public Kind kind() {
    return kind;
  }
}
