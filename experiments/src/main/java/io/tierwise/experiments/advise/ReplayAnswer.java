package io.tierwise.experiments.advise;

import io.tierwise.core.message.Section;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.simulator.report.BarChart;
import io.tierwise.simulator.report.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The answer of a replay.
 *
 * @param learnedReads before them, which the hot set is chosen by: the first half
 * @param reads that were replayed: the second half
 * @param seconds from the first to the last of them
 * @param nodes of the virtual cluster
 * @param fastTier the one that choices put a replica on
 * @param slowTier the one of all other replicas
 * @param replicas of each file: the number that most of the bytes read have
 * @param rows as stored first
 * @param replication the same reads with replicas that follow popularity; null for reads of less
 *     than two windows
 * @param cold what erasure coding of cold files would save
 * @param jobs what jobs of a history would gain; null where none is known
 * @param site whose nodes, racks and size of blocks the virtual cluster had; null where none did
 */
public record ReplayAnswer(
    int learnedReads,
    int reads,
    double seconds,
    int nodes,
    String fastTier,
    String slowTier,
    int replicas,
    List<Row> rows,
    ReplicationAnswer replication,
    Cold cold,
    JobsAnswer jobs,
    ReplaySite site) {
  /** The files that have a replica on the fast tier. */
  public enum Choice {
    /** Those whose policies want one there today. */
    AS_STORED,
    /** Any, of as many bytes as the hot set has: the null model. */
    DRAWN_BLINDLY,
    /** Those that the first half read most. */
    HOT_SET,
    /** Those that the second half reads most. */
    BY_HINDSIGHT
  }

  /**
   * One choice.
   *
   * @param fastFiles with a replica on the fast tier
   * @param readSeconds all reads together
   * @param fastShare of the bytes that were read, from the fast tier's devices
   * @param cachedShare from memory
   * @param watts of the whole cluster, on average
   * @param energyDollars of the run
   * @param storageDollars price of the devices' share that the files take
   */
  public record Row(
      Choice choice,
      int fastFiles,
      long fastBytes,
      double readSeconds,
      double meanSeconds,
      double p95Seconds,
      double fastShare,
      double cachedShare,
      double joules,
      double watts,
      double energyDollars,
      double storageDollars) {
    /** The choice, for people. */
    public String choiceText() {
      return text(choice);
    }

    static String text(Choice choice) {
      return Words.word(choice.name()).replace('_', ' ');
    }
  }

  /**
   * Savings on files that nobody reads, which no replay has.
   *
   * @param freedBytes on the slow tier
   * @param dollars price of the devices' share; 0 where they have none
   * @param watts of that share when idle; null where the devices tell no watts
   */
  public record Cold(long freedBytes, double dollars, Double watts) {}

  /** The same with what jobs gain. */
  ReplayAnswer with(JobsAnswer ofJobs) {
    return new ReplayAnswer(
        learnedReads,
        reads,
        seconds,
        nodes,
        fastTier,
        slowTier,
        replicas,
        rows,
        replication,
        cold,
        ofJobs,
        site);
  }

  /** Whether it went to its end, and nobody interrupted it. */
  public boolean complete() {
    return rows.size() == Choice.values().length && (replication == null || replication.complete());
  }

  /** For people: this one, then what there is of the others. */
  public List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    sections.add(new Section("The same reads with other files on " + fastTier, table(), legend()));
    if (replication != null) {
      sections.add(
          new Section(
              "The same reads with replicas that follow popularity",
              replication.table(),
              replication.legend()));
    }
    if (jobs != null) {
      sections.add(jobs.section());
    }
    return sections;
  }

  /** The choices for people. */
  public Table table() {
    Table table =
        new Table()
            .text("replica on " + fastTier)
            .number("of", "mean read", "p95", "saved", "from it", "watts", "storage");
    for (Row row : rows) {
      table.row(
          row.choiceText(),
          Words.bytes(row.fastBytes()),
          Format.SECONDS.text(row.meanSeconds()),
          Format.SECONDS.text(row.p95Seconds()),
          Words.percent(1 - row.readSeconds() / rows.get(0).readSeconds()),
          Words.percent(row.fastShare()),
          String.format(Locale.ROOT, "%.0f", row.watts()),
          row.storageDollars() > 0 ? Format.DOLLARS.text(row.storageDollars()) : null);
    }
    return table.keys(1);
  }

  /** The mean read of each choice, drawn. */
  public String chart() {
    List<BarChart.Bar> bars =
        rows.stream()
            .map(
                row ->
                    new BarChart.Bar(
                        row.choiceText(),
                        new double[] {row.meanSeconds()},
                        Double.NaN,
                        Format.SECONDS.text(row.meanSeconds())))
            .toList();
    return BarChart.svg("Mean time of a read", List.of("mean"), bars, "seconds", 1);
  }

  /** Sentences to stand below the table. */
  public List<String> legend() {
    List<String> lines = new ArrayList<>();
    if (cold.freedBytes() > 0) {
      List<String> saved = new ArrayList<>();
      if (cold.dollars() > 0) {
        saved.add(Format.DOLLARS.text(cold.dollars()));
      }
      if (cold.watts() != null) {
        saved.add(String.format(Locale.ROOT, "%.1f W when idle", cold.watts()));
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "Cold files on plain disks alone free %s on %s under RS-6-3%s.",
              Words.bytes(cold.freedBytes()),
              slowTier,
              saved.isEmpty() ? "" : ": devices of " + String.join(" and ", saved)));
    }
    if (replication == null) {
      lines.add(
          "Replicas that follow popularity are not compared: the reads cover less than two hours.");
    }
    if (site != null) {
      lines.add(siteText());
    }
    lines.addAll(
        List.of(
            String.format(
                Locale.ROOT,
                "%s in %s, the second half of the log's last %,d (--reads), on %s, files in %s: all"
                    + " else on %s. The hot set is the first half's; blindly drawn files of as many"
                    + " bytes are what it has to beat, hindsight is about the most that a forecast"
                    + " could bring.",
                Words.count(reads, "read"),
                Words.duration(seconds),
                learnedReads + reads,
                Words.count(nodes, "virtual node"),
                Words.count(replicas, "replica"),
                slowTier),
            "As stored, readers know distances alone, as HDFS's do; in the other rows they read by"
                + " expected completion (auto).",
            (jobs == null ? "A read" : "A read of no job that is known")
                + " is of a whole file, or of what client traces say, a task a block, without"
                + " computing; other load is not in it."
                + " Watts: of all machines; storage: price of the devices' share."));
    return lines;
  }

  private String siteText() {
    List<String> told = new ArrayList<>();
    if (!site.nodesByRack().isEmpty()) {
      int named = site.racks().stream().mapToInt(Integer::intValue).sum();
      told.add(
          Words.count(named, "node") + " in " + Words.count(site.nodesByRack().size(), "rack"));
    }
    told.add("blocks of " + Words.bytes(site.blockBytes()));
    return "By the configuration: "
        + String.join(", ", told)
        + (site.replication() == replicas
            ? "."
            : "; most bytes read have "
                + Words.count(replicas, "replica")
                + ", and new files "
                + site.replication()
                + ".");
  }
}
