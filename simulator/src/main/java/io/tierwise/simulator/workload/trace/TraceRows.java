package io.tierwise.simulator.workload.trace;

import java.io.Closeable;
import java.io.IOException;

/** The rows of a trace in one format, in the order of the file. */
interface TraceRows extends Closeable {
  /**
   * The next row, or null after the last.
   *
   * @throws BadRowException when the row cannot be used; the next call returns the one after it
   * @throws IOException when the file cannot be read on
   */
  TraceRow next() throws IOException;

  /** File and line of the row that {@link #next} returned last. */
  String where();

  /** Share of the file that has been read, from 0 to 1. */
  double progress();

  /** What is odd about the rows until now, but no error: one line, empty when nothing is. */
  default String warning() {
    return "";
  }
}
