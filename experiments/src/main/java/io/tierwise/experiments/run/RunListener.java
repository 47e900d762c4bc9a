package io.tierwise.experiments.run;

/**
 * Hears how far runs are. Called by the threads that run them; a method that does not matter may be
 * left out.
 */
public interface RunListener {
  /** More runs are expected. */
  default void expect(int runs) {}

  /** A run of number {@code id} is so far; NaN when it does not know. */
  default void update(int id, double simulatedSeconds, long jobs, double share) {}

  /** The run is over. */
  default void end(int id) {}

  /** Nothing runs any more. */
  default void close() {}
}
