package io.tierwise.hadoop.conformance;

import java.util.List;
import java.util.SortedMap;

/**
 * One run of one test class on one side.
 *
 * @param results by test name
 * @param pluginClasses the configured plug-in classes that the JVM loaded; empty on stock
 * @param decisions how often our code decided, by kind; counted where it is to decide only
 * @param pluginWarnings what the plug-ins logged at WARN or ERROR, each text once
 */
public record ClassRun(
    Side side,
    int attempt,
    End end,
    double seconds,
    SortedMap<String, TestResult> results,
    List<String> pluginClasses,
    SortedMap<String, Long> decisions,
    List<String> pluginWarnings) {

  /** How the JVM ended. */
  public enum End {
    FINISHED,
    TIMED_OUT,
    CRASHED
  }

  /** The outcome of {@code test}. */
  public Outcome outcomeOf(String test) {
    TestResult result = results.get(test);
    return result == null ? Outcome.MISSING : result.outcome();
  }

  /** The number of tests with this outcome. */
  public int count(Outcome outcome) {
    return (int) results.values().stream().filter(r -> r.outcome() == outcome).count();
  }
}
