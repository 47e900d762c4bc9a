package io.tierwise.cli;

/** How a command ends, for the shell that called it. */
public final class ExitCode {
  /** A check, a comparison or a measurement did not come out as it should. */
  public static final int FAILED = 1;

  /** Bad input: nothing was changed. */
  public static final int BAD_INPUT = 2;

  /** The cluster, a permission or a state stands in the way. */
  public static final int CLUSTER = 3;

  /** As a shell counts a program that Ctrl-C ended. */
  public static final int INTERRUPTED = 130;

  /** As a shell counts a program that wrote to a pipe which nobody reads. */
  public static final int UNREAD = 141;

  private ExitCode() {}

  /** Zero, or {@link #FAILED} when what was checked or done did not come out as it should. */
  public static int failedUnless(boolean complete) {
    return complete ? 0 : FAILED;
  }
}
