package io.tierwise.cli.testbed.host;

/** Something about the machine or the testbed's state stands in the way: one line for the user. */
public final class TestbedException extends RuntimeException {
  public TestbedException(String message) {
    super(message);
  }

  public TestbedException(String message, Throwable cause) {
    super(message, cause);
  }
}
