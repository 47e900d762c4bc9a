package io.tierwise.simulator;

/** Hears how far a run is, and may end it. Called on the run's thread, between events. */
@FunctionalInterface
public interface Progress {
  /** Says nothing and never ends the run. */
  Progress NONE = (simulatedSeconds, finishedJobs, shareDone) -> true;

  /**
   * Called about ten times a second of real time.
   *
   * @param simulatedSeconds since the start of the simulated time
   * @param finishedJobs so far
   * @param shareDone of the work of all tasks, from 0 to 1; NaN when nobody said how much is to do
   * @return false to end the run: its result is then marked as not complete
   */
  boolean update(double simulatedSeconds, long finishedJobs, double shareDone);
}
