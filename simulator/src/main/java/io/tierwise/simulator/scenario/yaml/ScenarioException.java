package io.tierwise.simulator.scenario.yaml;

/** A scenario says something wrong; the message is one line that says where and what is allowed. */
public final class ScenarioException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public ScenarioException(String message) {
    super(message);
  }

  ScenarioException(String message, Throwable cause) {
    super(message, cause);
  }
}
