package io.tierwise.cli.file;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.TextTable;
import io.tierwise.hadoop.mover.MoverReport;
import java.io.PrintWriter;

/** The report or the plan of a mover, for people. */
public final class MoveTable {
  private MoveTable() {}

  /** Prints a report, or a plan. */
  public static void print(MoverReport report, boolean plan, PrintWriter out) {
    out.println(Fold.text(report.text(plan)));
    if (report.moved().replicas() > 0) {
      TextTable.lines(report.table()).forEach(out::println);
    }
    if (!report.left().isEmpty()) {
      out.println(plan ? "would stay:" : "stays:");
      for (MoverReport.Left left : report.left()) {
        out.println(Fold.text("- " + left.text()));
      }
    }
    out.flush();
  }
}
