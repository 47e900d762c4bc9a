package io.tierwise.experiments.advise;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.simulator.report.Format;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The same reads with replicas that follow popularity.
 *
 * @param tier the one that all files are on
 * @param secondaryTier the one of unpopular files; null where the cluster names none
 * @param windowSeconds from one decision to the next
 * @param extraShareMax that additional replicas may take, of the bytes with the usual ones
 * @param rows default first
 */
public record ReplicationAnswer(
    String tier, String secondaryTier, double windowSeconds, double extraShareMax, List<Row> rows) {
  /** Who decides; by decision 127. */
  public enum Decider {
    /** Nobody: HDFS's number of replicas stays. */
    DEFAULT("default", "", false),
    /** All files are equally popular. */
    NULL_MODEL("null model", "uniform", true),
    SCARLETT("Scarlett", "scarlett", false),
    APTSTORE_PERF("AptStore-perf", "ppa", false),
    APTSTORE("AptStore", "ppa", true),
    /** Knows the next window's readers: a bound. */
    ORACLE("oracle", "oracle:by=readers", true);

    private final String title;
    private final String predictor;
    private final boolean usesSecondary;

    Decider(String title, String predictor, boolean usesSecondary) {
      this.title = title;
      this.predictor = predictor;
      this.usesSecondary = usesSecondary;
    }

    String title() {
      return title;
    }

    String predictor() {
      return predictor;
    }

    boolean usesSecondary() {
      return usesSecondary;
    }

    /** Those that can be compared; without a secondary store AptStore is AptStore-perf. */
    static List<Decider> of(boolean hasSecondary) {
      return Arrays.stream(values()).filter(each -> hasSecondary || each != APTSTORE).toList();
    }
  }

  /**
   * One of them.
   *
   * @param readSeconds all reads together
   * @param storedBytes of all replicas, as a mean over the ends of windows
   * @param secondaryBytes of these, in the secondary store
   * @param throughputPerByte bytes read in a second of reading for each byte stored, as a multiple
   *     of default's
   * @param moreShare of files, with more than the usual replicas at the end
   * @param secondaryShare of files, in the secondary store at the end
   * @param storageDollars price of the devices' share that the files take
   */
  public record Row(
      Decider decidedBy,
      double readSeconds,
      double meanSeconds,
      double p95Seconds,
      double storedBytes,
      double secondaryBytes,
      double throughputPerByte,
      double moreShare,
      double secondaryShare,
      double watts,
      double energyDollars,
      double storageDollars) {}

  /** Whether it went to its end. */
  boolean complete() {
    return rows.size() == Decider.of(secondaryTier != null).size();
  }

  /** For people. */
  public Table table() {
    Table table =
        new Table()
            .text("replicas by")
            .number("mean read", "saved", "stored", "per byte", "more", "away", "storage");
    for (Row row : rows) {
      table.row(
          row.decidedBy().title(),
          Format.SECONDS.text(row.meanSeconds()),
          Words.percent(1 - row.readSeconds() / rows.get(0).readSeconds()),
          Words.bytes(Math.round(row.storedBytes())),
          String.format(Locale.ROOT, "x%.3f", row.throughputPerByte()),
          Words.percent(row.moreShare()),
          secondaryTier == null ? null : Words.percent(row.secondaryShare()),
          row.storageDollars() > 0 ? Format.DOLLARS.text(row.storageDollars()) : null);
    }
    return table.keys(1);
  }

  /** Sentences to stand below the table. */
  public List<String> legend() {
    return List.of(
        String.format(
            Locale.ROOT,
            "All files on %s. Every %s of reads a predictor ranks them by the reads before;"
                + " additional replicas may take %.0f%% more bytes, the same for all. The null"
                + " model ranks all alike and is what the others have to beat; the oracle knows"
                + " the next readers.",
            tier,
            Words.duration(windowSeconds),
            100 * extraShareMax),
        "Stored: all replicas, as a mean over time. Per byte: what is read in a second of reading"
            + " for each byte stored, beside default's. More: files with more replicas.",
        secondaryTier == null
            ? "The cluster names no secondary store, and so there is no AptStore: popularity:"
                + " {predictor: ppa, secondary: TIER} names one."
            : "Away: files in the secondary store " + secondaryTier + ", with one replica.");
  }
}
