package io.tierwise.hadoop.hdfs.datanode;

import java.net.SocketTimeoutException;

/**
 * A client's read was refused because too many are being served.
 *
 * <p>A timeout by type: for any other exception the DataNode logs an error with a stack trace and
 * counts a network error, and a refusal is neither. The client is told the message in either case.
 */
public final class ReadRefusedException extends SocketTimeoutException {
  private static final long serialVersionUID = 1L;

  ReadRefusedException(String message) {
    super(message);
  }

  /** Refusals are frequent, and their origin is known: no stack trace is needed. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
