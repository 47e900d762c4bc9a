package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.core.use.UseCounts;
import io.tierwise.hadoop.hdfs.audit.HeatCalls;
import io.tierwise.policies.heat.FileHeat;
import io.tierwise.policies.heat.GroupHeat;
import io.tierwise.policies.heat.HeatReport;
import io.tierwise.policies.heat.HeatTotals;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How hot something was, as data.
 *
 * @param rows hottest first
 * @param windowSeconds length of a window
 * @param runningSince when the running window began
 * @param until the latest access
 * @param log the audit log that was read; null when a NameNode was asked
 * @param feed the NameNode's; null when a log was read
 * @param counted what was counted
 */
public record HeatAnswer(
    List<Row> rows,
    double windowSeconds,
    String runningSince,
    String until,
    Log log,
    Feed feed,
    Counted counted) {
  /**
   * A file, directory or table.
   *
   * @param reads that were counted
   * @param readsMax the most that there can have been; null for directories and tables
   * @param beforeLastWindow reads in the window before the last whole one
   * @param lastRead null for directories and tables, and for a file that was not read
   */
  public record Row(
      String path,
      long reads,
      Long readsMax,
      long beforeLastWindow,
      long lastWindow,
      long runningWindow,
      String lastRead) {
    static Row of(FileHeat file) {
      UseCounts counts = file.counts();
      long used = counts.use().usedMillis();
      return of(file.path(), file.reads(), file.readsMax(), counts, used < 0 ? null : iso(used));
    }

    static Row of(GroupHeat group) {
      return of(group.path(), group.reads(), null, group.counts(), null);
    }

    private static Row of(String path, long reads, Long most, UseCounts counts, String lastRead) {
      return new Row(
          path, reads, most, counts.count(0), counts.count(1), counts.count(2), lastRead);
    }
  }

  /**
   * Counts of the log's lines.
   *
   * @param firstCorrupt null when no line was corrupt
   * @param behind accesses of over a minute before an earlier line's time
   */
  public record Log(
      long lines, long accesses, long refused, long corrupt, String firstCorrupt, long behind) {
    /** Own: a clock that is set back by an hour in autumn makes 0.6% of a week's lines so. */
    private static final double BEHIND_SHARE_REMARK = 0.01;

    public static Log of(LogHeat heat) {
      AuditCounts counts = heat.counts();
      String first = counts.firstCorrupt().isEmpty() ? null : counts.firstCorrupt();
      return new Log(
          counts.lines(),
          counts.accesses(),
          counts.refused(),
          counts.corrupt(),
          first,
          heat.behind());
    }

    /** Remarks on lines that do not count as they should; empty where there are none. */
    public List<String> remarks() {
      List<String> remarks = new ArrayList<>();
      if (corrupt > 0) {
        remarks.add(Words.count(corrupt, "corrupt line") + " left out, the first: " + firstCorrupt);
      }
      if (behind > BEHIND_SHARE_REMARK * accesses) {
        remarks.add(
            String.format(
                Locale.ROOT,
                "%.0f%% of the accesses are over a minute older than a line before them, and count"
                    + " as of that line's time, opens of one reader as one read: a file may hold"
                    + " several NameNodes' lines, or their clock was set back; give each NameNode's"
                    + " files as it wrote them",
                100.0 * behind / accesses));
      }
      return remarks;
    }
  }

  /**
   * Accesses since a NameNode started.
   *
   * @param events that it took
   * @param dropped that found its queue full, and are not counted
   * @param failures lost to an error
   * @param since when it began to count; null from a plug-in that does not tell
   * @param observers NameNodes that serve reads, too, and count them by themselves
   */
  public record Feed(
      long events, long dropped, long failures, String since, List<String> observers) {}

  /**
   * Counts of reads, and of the rows that hold them.
   *
   * @param nameless opens by inode number, of which nobody says the path
   * @param readsMaxTooHigh by how much readsMax is too high at most, for 96% of files
   */
  public record Counted(
      long reads,
      long continued,
      long late,
      long nameless,
      int files,
      int directories,
      long filesEvicted,
      long directoriesFolded,
      double readsMaxTooHigh) {
    public static Counted of(HeatTotals totals) {
      return new Counted(
          totals.reads(),
          totals.continued(),
          totals.late(),
          totals.nameless(),
          totals.files(),
          totals.directories(),
          totals.filesEvicted(),
          totals.directoriesFolded(),
          totals.tailErrorMax());
    }
  }

  static HeatAnswer of(List<Row> rows, LogHeat heat) {
    HeatReport report = heat.report();
    return of(
        rows,
        report.windowMillis(),
        report.runningSinceMillis(),
        Log.of(heat),
        null,
        heat.totals());
  }

  static HeatAnswer of(HeatCalls.Answer answer, List<String> observers) {
    List<Row> rows = new ArrayList<>();
    answer.files().forEach(file -> rows.add(Row.of(file)));
    answer.groups().forEach(group -> rows.add(Row.of(group)));
    HeatCalls.Feed feed = answer.feed();
    return of(
        rows,
        answer.windowMillis(),
        answer.runningSinceMillis(),
        null,
        new Feed(
            feed.events(),
            feed.dropped(),
            feed.failures(),
            feed.sinceMillis() == 0 ? null : iso(feed.sinceMillis()),
            observers),
        answer.totals());
  }

  private static HeatAnswer of(
      List<Row> rows,
      long windowMillis,
      long runningSinceMillis,
      Log log,
      Feed feed,
      HeatTotals totals) {
    return new HeatAnswer(
        rows,
        windowMillis / 1e3,
        iso(runningSinceMillis),
        iso(totals.nowMillis()),
        log,
        feed,
        Counted.of(totals));
  }

  private static String iso(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The rows for people. */
  public Table table() {
    Table table =
        new Table().text("path").number("reads", "before", "last", "running").text("last read");
    for (Row row : rows) {
      table.row(
          row.path(),
          reads(row),
          row.beforeLastWindow(),
          row.lastWindow(),
          row.runningWindow(),
          row.lastRead());
    }
    return table.keys(1);
  }

  private static String reads(Row row) {
    String counted = String.format(Locale.ROOT, "%,d", row.reads());
    return row.readsMax() == null || row.readsMax() == row.reads()
        ? counted
        : String.format(Locale.ROOT, "%s to %,d", counted, row.readsMax());
  }

  /** Sentences to stand below the table. */
  public List<String> legend() {
    List<String> lines = new ArrayList<>();
    Duration window = Duration.ofMillis((long) (windowSeconds * 1e3));
    lines.add(
        String.format(
            Locale.ROOT,
            "%s, %s of the same reader that continue one; the %s at %s",
            Words.count(counted.reads(), "read"),
            Words.count(counted.continued(), "open"),
            log == null ? "latest access" : "log ends",
            until));
    lines.add(
        String.format(
            Locale.ROOT,
            "windows of %s: 'running' is the one since %s, not over yet; 'last' and 'before' are"
                + " the two whole ones before it. Rows are sorted by these three together",
            Words.duration(window.toMillis() / 1e3),
            runningSince));
    if (feed != null && feed.since() != null) {
      lines.add("counted by the active NameNode since " + feed.since() + ", when it started");
    }
    if (counted.filesEvicted() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "\"3 to 9\": 3 were counted, and at most 9 there were; the most is too high by up to"
                  + " %.0f for 96%% of files (%s keeps more of them exact)",
              counted.readsMaxTooHigh(),
              feed == null ? "--files" : "tierwise.namenode.feed.heat.files"));
    }
    return lines;
  }

  /** Remarks on accesses that were not counted; empty where there are none. */
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (feed != null && !feed.observers().isEmpty()) {
      remarks.add(
          "reads that observers serve are not counted here: "
              + String.join(", ", feed.observers())
              + ". For all reads give the audit log of each NameNode with --audit-log");
    }
    if (feed != null && feed.dropped() > 0) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d accesses are not counted, because the NameNode's queue was full: raise"
                  + " tierwise.namenode.feed.queue.events",
              feed.dropped()));
    }
    if (feed != null && feed.failures() > 0) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d accesses are not counted for errors: the NameNode's log has the first",
              feed.failures()));
    }
    if (counted.nameless() > 0) {
      remarks.add(
          Words.count(counted.nameless(), "open")
              + " not counted, by inode number and not by path: so an NFS gateway reads, and Tierwise"
              + " where it copies a file");
    }
    if (log != null) {
      remarks.addAll(log.remarks());
    }
    return remarks;
  }
}
