package io.tierwise.simulator.workload;

import java.io.IOException;

/**
 * Jobs in order of arrival, one at a time: a trace of any length costs no memory.
 *
 * <p>The order is never broken: a source whose trace is not sorted says so as an error, with the
 * line.
 */
public interface JobSource extends AutoCloseable {
  /**
   * The next job, or null after the last.
   *
   * @throws IOException when the trace cannot be read on; the message names file and line
   */
  JobSpec next() throws IOException;

  @Override
  void close() throws IOException;
}
