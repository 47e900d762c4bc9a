package io.tierwise.simulator.workload;

import java.util.Objects;

/**
 * Rows of a trace that were left out because they are bad.
 *
 * @param count how many
 * @param first what is wrong with the first of them, with file and line; empty when there is none
 */
public record BadRows(long count, String first) {
  /** No row was left out. */
  public static final BadRows NONE = new BadRows(0, "");

  public BadRows {
    Objects.requireNonNull(first, "first");
    if (count < 0 || (count == 0) != first.isEmpty()) {
      throw new IllegalArgumentException(count + " bad rows, the first being '" + first + "'");
    }
  }

  /** These and one more. */
  public BadRows and(String message) {
    return new BadRows(count + 1, first.isEmpty() ? message : first);
  }
}
