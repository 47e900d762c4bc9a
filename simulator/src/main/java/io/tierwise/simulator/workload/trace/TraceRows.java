package io.tierwise.simulator.workload.trace;

import io.tierwise.history.Position;
import java.io.IOException;

/** The rows of a trace in one format, in the order of the file. */
interface TraceRows extends Position {
  /**
   * The next row, or null after the last.
   *
   * @throws BadRowException when the row cannot be used; the next call returns the one after it
   * @throws IOException when the file cannot be read on
   */
  TraceRow next() throws IOException;

  /** Oddities of the rows until now that are no errors: one line, or empty. */
  default String warning() {
    return "";
  }
}
