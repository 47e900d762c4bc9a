package io.tierwise.profiles;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * What a run would probably do.
 *
 * @param runs that it is estimated from
 * @param seconds from its first task to its end
 * @param configurations those that it was run in by {@code tierwise profile run}
 * @param ioRequirement what fast devices save its tasks for each byte
 * @param remarks how far to trust it, a sentence each
 */
public record Prediction(
    String application,
    String engine,
    int runs,
    long inputBytes,
    Estimate seconds,
    List<PhasePrediction> phases,
    List<ConfigurationPrediction> configurations,
    IoRequirement ioRequirement,
    List<String> remarks) {
  /**
   * A configuration.
   *
   * @param configuration its number in DerbyhatS, Table 6.3
   * @param runs that it is estimated from
   * @param seconds from a run's first task to its end
   */
  public record ConfigurationPrediction(int configuration, int runs, Estimate seconds) {}

  /** A phase; the figures are those of {@link ProfileRow.PhaseRow}. */
  public record PhasePrediction(
      String phase,
      Estimate tasks,
      Estimate seconds,
      Estimate taskSeconds,
      Estimate readBytes,
      Estimate writtenBytes,
      Estimate spilledBytes,
      Estimate shuffledBytes) {}

  /** The estimates; figures that are always 0 are left out. */
  public Table table() {
    Table table =
        new Table().text("phase", "figure").number("expected", "at least", "at most").keys(2);
    add(table, "all", "time", seconds, Words::duration);
    for (ConfigurationPrediction each : configurations) {
      add(table, "Config-" + each.configuration(), "time", each.seconds(), Words::duration);
    }
    for (PhasePrediction phase : phases) {
      add(table, phase.phase(), "tasks", phase.tasks(), Prediction::count);
      add(table, phase.phase(), "time", phase.seconds(), Words::duration);
      add(table, phase.phase(), "time of tasks", phase.taskSeconds(), Words::duration);
      add(table, phase.phase(), "read", phase.readBytes(), Prediction::bytes);
      add(table, phase.phase(), "written", phase.writtenBytes(), Prediction::bytes);
      add(table, phase.phase(), "spilled", phase.spilledBytes(), Prediction::bytes);
      add(table, phase.phase(), "shuffled", phase.shuffledBytes(), Prediction::bytes);
    }
    return table;
  }

  /** What the table does not say. */
  public String legend() {
    String between =
        seconds.low() == null
            ? "."
            : "; nine runs of ten are expected between the last two columns.";
    return "From " + Words.count(runs, "run") + between + " Spilled bytes go to local directories.";
  }

  private static void add(
      Table table, String phase, String figure, Estimate estimate, DoubleFunction<String> words) {
    if (estimate.expected() > 0 || (estimate.high() != null && estimate.high() > 0)) {
      table.row(
          phase,
          figure,
          words.apply(estimate.expected()),
          estimate.low() == null ? null : words.apply(estimate.low()),
          estimate.high() == null ? null : words.apply(estimate.high()));
    }
  }

  private static String count(double count) {
    return String.format(Locale.ROOT, count < 10 ? "%.1f" : "%,.0f", count);
  }

  private static String bytes(double bytes) {
    return Words.bytes(Math.round(bytes));
  }
}
