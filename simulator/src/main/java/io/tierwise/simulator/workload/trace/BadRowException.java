package io.tierwise.simulator.workload.trace;

/** One row is bad, and the reader stands behind it: it can be left out and the rest be read. */
final class BadRowException extends TraceException {
  BadRowException(String message) {
    super(message);
  }

  BadRowException(String message, Throwable cause) {
    super(message, cause);
  }

  /** None: a trace may have millions of bad rows, and the message says where. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
