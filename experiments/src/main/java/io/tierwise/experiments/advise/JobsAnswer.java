package io.tierwise.experiments.advise;

import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.simulator.report.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a user's own jobs would gain.
 *
 * @param jobs with reads among those that were replayed
 * @param reads that are theirs, of {@code allReads}
 * @param readBytes of these
 * @param seconds of all jobs, by their history
 * @param policies in the order of the tables of the replay, without what they are compared with
 * @param gains the job that saves most by a policy that can be had first
 */
public record JobsAnswer(
    int jobs,
    int reads,
    int allReads,
    long readBytes,
    double seconds,
    List<Policy> policies,
    List<Gain> gains) {
  /** Own: what is less is in the noise of any job's time. */
  static final double GAIN_SHARE_MIN = 0.01;

  private static final int ROWS_MAX = 10;

  public JobsAnswer {
    policies = List.copyOf(policies);
    gains = List.copyOf(gains);
  }

  /**
   * A policy.
   *
   * @param choosable whether somebody can have it: it is neither a bound nor a null model
   * @param gaining jobs that save a hundredth of their time or more
   * @param slower jobs that lose as much
   * @param savedSeconds of all jobs together
   * @param fastBytes of their reads, of files with a replica on the fast tier; null where the
   *     policy chooses none
   * @param wattsMore of the whole cluster, beside what it is compared with
   * @param energyDollarsMore of the run, likewise
   * @param storageDollarsMore price of the devices' share that the files take, likewise
   */
  public record Policy(
      String policy,
      boolean choosable,
      int gaining,
      int slower,
      double savedSeconds,
      Long fastBytes,
      double wattsMore,
      double energyDollarsMore,
      double storageDollarsMore) {}

  /**
   * A job.
   *
   * @param seconds by its history
   * @param bestPolicy that saves it most, of those that can be had; null where none saves anything
   */
  public record Gain(
      String id,
      String application,
      double seconds,
      int reads,
      long readBytes,
      String bestPolicy,
      double bestSavedSeconds,
      double hindsightSavedSeconds) {}

  /** For people. */
  Section section() {
    List<Table> tables = new ArrayList<>(List.of(policyTable()));
    gainTable().ifPresent(tables::add);
    return new Section("What the jobs of the history would gain", tables, legend());
  }

  private Table policyTable() {
    Table table =
        new Table()
            .text("policy")
            .number("jobs gain", "lose", "saved", "of time", "on fast", "watts", "storage");
    for (Policy row : policies) {
      table.row(
          row.policy(),
          row.gaining(),
          row.slower(),
          seconds(row.savedSeconds()),
          Words.percent(row.savedSeconds() / seconds),
          row.fastBytes() == null ? null : Words.bytes(row.fastBytes()),
          String.format(Locale.ROOT, "%+.1f", row.wattsMore()),
          (row.storageDollarsMore() < 0 ? "-" : "+")
              + Format.DOLLARS.text(Math.abs(row.storageDollarsMore())));
    }
    return table.keys(1);
  }

  /** The jobs that gain for people, no more than ten; empty where none does. */
  private Optional<Table> gainTable() {
    if (gains.stream().allMatch(gain -> gain.bestPolicy() == null)) {
      return Optional.empty();
    }
    Table table =
        new Table()
            .text("jobs that gain", "application")
            .number("time", "read", "saved", "hindsight")
            .text("by");
    gains.stream()
        .filter(gain -> gain.bestPolicy() != null)
        .limit(ROWS_MAX)
        .forEach(
            gain ->
                table.row(
                    gain.id(),
                    gain.application(),
                    Words.duration(gain.seconds()),
                    Words.bytes(gain.readBytes()),
                    seconds(gain.bestSavedSeconds()),
                    seconds(gain.hindsightSavedSeconds()),
                    gain.bestPolicy()));
    return Optional.of(table.keys(1));
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }

  /** Sentences to stand below the tables. */
  public List<String> legend() {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s of the history, which ran %s together, have %,d of the %,d reads that were replayed,"
                + " of %s by their own counters. They read with as many tasks at once as they had,"
                + " and compute as long as they did.",
            Words.count(jobs, "job"),
            Words.duration(seconds),
            reads,
            allReads,
            Words.bytes(readBytes)),
        String.format(
            Locale.ROOT,
            (gainTable().isEmpty() ? "No job gains by a policy that can be had. " : "")
                + "A job saves what its reads save, by the tasks that read at once, and no more than the"
                + " time in which it read; it gains when that is %s of its time. Watts: of all"
                + " machines; watts and storage beside as stored, or beside default.",
            Words.percent(GAIN_SHARE_MIN)));
  }
}
