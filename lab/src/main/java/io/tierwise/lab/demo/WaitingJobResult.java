package io.tierwise.lab.demo;

import io.tierwise.core.message.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a job found that waited, beside the run that it was profiled by.
 *
 * @param fastTier its name
 * @param waitedSeconds of the second run, from its submission until it began
 * @param told by the daemon of the second run, a line for people
 */
public record WaitingJobResult(
    String fastTier, Run profiled, Run prefetched, double waitedSeconds, String told) {
  /**
   * A run of the job.
   *
   * @param seconds from its begin to its end
   * @param inputBytes by the tier of their replica when it began
   * @param betweenBytes that its maps left for its reducer, by tier
   */
  public record Run(double seconds, Map<String, Long> inputBytes, Map<String, Long> betweenBytes) {
    public Run {
      inputBytes = Map.copyOf(inputBytes);
      betweenBytes = Map.copyOf(betweenBytes);
    }

    private Map<String, Object> columns(String fastTier) {
      Map<String, Object> columns = new LinkedHashMap<>();
      columns.put("seconds", seconds);
      columns.put("input_bytes", sum(inputBytes));
      columns.put("fast_input_bytes", inputBytes.getOrDefault(fastTier, 0L));
      columns.put("intermediate_bytes", sum(betweenBytes));
      columns.put("fast_intermediate_bytes", betweenBytes.getOrDefault(fastTier, 0L));
      return columns;
    }

    private static long sum(Map<String, Long> bytes) {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private String text(String fastTier) {
      return String.format(
          Locale.ROOT,
          "%s of its %s of input were on %s, %s of %s between its phases went there, and it took"
              + " %.1f s",
          Words.bytes(inputBytes.getOrDefault(fastTier, 0L)),
          Words.bytes(sum(inputBytes)),
          fastTier,
          Words.bytes(betweenBytes.getOrDefault(fastTier, 0L)),
          Words.bytes(sum(betweenBytes)),
          seconds);
    }
  }

  /** All figures by name. */
  Map<String, Object> columns() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("waited_seconds", waitedSeconds);
    columns.put("profiled", profiled.columns(fastTier));
    columns.put("prefetched", prefetched.columns(fastTier));
    return columns;
  }

  /** The findings, a sentence or two each. */
  List<String> sentences() {
    return List.of(
        "A job ran once, and its history went into the catalog: "
            + profiled.text(fastTier)
            + ". The next one waited "
            + Words.duration(waitedSeconds)
            + " for its node: "
            + prefetched.text(fastTier)
            + ". Neither sets anything of Tierwise's.",
        "The daemon said: " + told + ".",
        "The local directories of both tiers are on one disk, which nobody emulates: what a job"
            + " gains by its intermediate data does not show in the seconds.");
  }
}
