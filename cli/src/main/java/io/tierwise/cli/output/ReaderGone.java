package io.tierwise.cli.output;

/** Nobody reads the answer any more: a program behind the pipe, such as {@code head}, has ended. */
public final class ReaderGone extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
