package io.tierwise.profiles;

import java.util.List;

/**
 * What of a run an estimate needs.
 *
 * @param configuration that it was made in; 0 for a run that nobody placed
 * @param seconds from the start of its first task to its end
 */
record RunFigures(
    ApplicationKey application,
    int configuration,
    boolean succeeded,
    long submitMillis,
    double seconds,
    List<PhaseFigures> phases) {
  /**
   * What the tasks of a phase did.
   *
   * @param seconds from the start of the first to the end of the last
   * @param taskSeconds one after the other
   */
  record PhaseFigures(
      String phase,
      long tasks,
      double seconds,
      double taskSeconds,
      long readBytes,
      long writtenBytes,
      long spilledBytes,
      long shuffledBytes) {}

  /** What it read of stored data: what figures scale with. */
  long inputBytes() {
    return phases.stream().mapToLong(PhaseFigures::readBytes).sum();
  }
}
