package io.tierwise.history;

/** One row is bad, and the reader stands behind it: it can be left out and the rest be read. */
public final class BadRowException extends TraceException {
  public BadRowException(String message) {
    super(message);
  }

  public BadRowException(String message, Throwable cause) {
    super(message, cause);
  }

  /** None: a trace may have millions of bad rows, and the message says where. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
