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
      TextTable tiers = new TextTable().left("tier").right("comes").right("becomes free");
      for (MoverReport.TierChange tier : report.tiers()) {
        tiers.row(
            tier.tier() == null ? "-" : tier.tier(),
            Words.bytes(tier.comeBytes()),
            Words.bytes(tier.goBytes()));
      }
      tiers.print(out);
    }
    if (!report.left().isEmpty()) {
      out.println(plan ? "would stay:" : "stays:");
      for (MoverReport.Left left : report.left()) {
        out.println(Fold.text("- " + line(left), 2));
      }
    }
    out.flush();
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
