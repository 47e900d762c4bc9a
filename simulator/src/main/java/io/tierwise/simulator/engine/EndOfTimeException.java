package io.tierwise.simulator.engine;

/** Something would happen after the last tick: the run is longer than simulated time. */
public final class EndOfTimeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public EndOfTimeException() {
    super("simulated time ends after 106 days");
  }
}
