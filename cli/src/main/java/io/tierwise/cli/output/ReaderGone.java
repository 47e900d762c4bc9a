package io.tierwise.cli.output;

/**
 * The answer cannot be written any more: most often a program behind the pipe, such as {@code
 * head}, has ended.
 */
public final class ReaderGone extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
