package io.tierwise.profiles;

import java.util.List;
import java.util.Map;

/**
 * An application in an answer; figures are means over its runs that succeeded, those with data in
 * the fast tier by {@code tierwise profile run} left out.
 *
 * @param inputBytesMin what the smallest run read; null when no run succeeded
 * @param seconds from a run's first task to its end
 * @param lastRun when the newest was submitted
 * @param configurations that it was run in; null when nobody asked
 * @param ioRequirement what fast devices save its tasks; likewise
 * @param hosts where attempts of tasks ran, also those of failed runs, most first; null when nobody
 *     asked
 */
public record ProfileRow(
    String application,
    String engine,
    int runs,
    int failedRuns,
    Long inputBytesMin,
    Long inputBytesMax,
    Double seconds,
    String lastRun,
    List<PhaseRow> phases,
    List<ConfigurationRow> configurations,
    IoRequirement ioRequirement,
    List<HostRow> hosts) {
  /**
   * Its runs in one configuration.
   *
   * @param configuration its number in DerbyhatS, Table 6.3
   */
  public record ConfigurationRow(
      int configuration,
      int runs,
      int failedRuns,
      Long inputBytesMin,
      Long inputBytesMax,
      Double seconds) {}

  /**
   * A phase.
   *
   * @param seconds from its first task's start to its last one's end
   * @param taskSeconds of all tasks, one after the other
   * @param spilledBytes written to local directories
   * @param shuffledBytes read of what other tasks left
   */
  public record PhaseRow(
      String phase,
      double tasks,
      double seconds,
      double taskSeconds,
      long readBytes,
      long writtenBytes,
      long spilledBytes,
      long shuffledBytes) {}

  /** A host, and how many attempts ran there. */
  public record HostRow(String host, long tasks) {
    static List<HostRow> of(Map<String, Long> hosts) {
      return hosts.entrySet().stream()
          .map(host -> new HostRow(host.getKey(), host.getValue()))
          .toList();
    }
  }
}
