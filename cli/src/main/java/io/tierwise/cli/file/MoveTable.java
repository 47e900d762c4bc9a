package io.tierwise.cli.file;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverReport;
import java.io.PrintWriter;
import java.util.Locale;

/** What a mover did, or would do, for people. */
public final class MoveTable {
  private MoveTable() {}

  /** Prints a report, or a plan. */
  public static void print(MoverReport report, boolean plan, PrintWriter out) {
    out.println(Fold.text(sum(report, plan)));
    if (report.moved().replicas() > 0) {
      printTiers(report, out);
    }
    if (!report.left().isEmpty()) {
      out.println(plan ? "would stay:" : "stays:");
      for (MoverReport.Left left : report.left()) {
        out.println(Fold.text("- " + line(left), 2));
      }
    }
    out.flush();
  }

  private static void printTiers(MoverReport report, PrintWriter out) {
    boolean filling = !report.fills().isEmpty();
    TextTable table = new TextTable().left("tier").right("comes").right("becomes free");
    if (filling) {
      table.right("used now").right("used then");
    }
    for (int i = 0; i < report.tiers().size(); i++) {
      MoverReport.TierChange tier = report.tiers().get(i);
      String name = tier.tier() == null ? "-" : tier.tier();
      String comes = Words.bytes(tier.comeBytes());
      String goes = Words.bytes(tier.goBytes());
      if (filling) {
        MoverReport.TierFill fill = report.fills().get(i);
        table.row(
            name,
            comes,
            goes,
            share(fill.usedBytes(), fill.capacityBytes()),
            share(fill.usedBytesThen(), fill.capacityBytes()));
      } else {
        table.row(name, comes, goes);
      }
    }
    table.print(out);
  }

  private static String share(long used, long capacity) {
    return capacity == 0 ? null : Words.percent((double) used / capacity);
  }

  private static String sum(MoverReport report, boolean plan) {
    return (plan ? "would move " : "moved ")
        + Words.count(report.moved().replicas(), "replica")
        + " ("
        + Words.bytes(report.moved().bytes())
        + ", "
        + Words.bytes(report.networkBytes())
        + " between nodes) "
        + (plan ? "in about " : "in ")
        + time(report.seconds())
        + "; "
        + Words.count(report.blocksAsWanted(), "block")
        + " of "
        + String.format(Locale.ROOT, "%,d", report.blocks())
        + " in "
        + Words.count(report.files(), "file")
        + (report.blocksAsWanted() == 1 ? " was" : " were")
        + " as wanted";
  }

  private static String line(MoverReport.Left left) {
    return Words.count(left.amount().replicas(), "replica")
        + " ("
        + Words.bytes(left.amount().bytes())
        + "): "
        + Words.plain(left.reason())
        + "; for example of "
        + Words.plain(left.example());
  }

  /** A duration for people. */
  static String time(double seconds) {
    if (seconds < 90) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    return seconds < 5400
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }
}
