package io.tierwise.cli.simulate;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import io.tierwise.simulator.report.Report;
import java.io.PrintWriter;

/** Prints a report for a terminal: as many cases side by side as fit, then the next ones below. */
final class ReportTable {
  private static final int LABEL_MAX = 40;

  private ReportTable() {}

  static void print(Report report, PrintWriter out) {
    Table table = new Table().text("").keys(1);
    report.cases().forEach(each -> table.number(Fold.cut(Report.title(each), LABEL_MAX)));
    report.rows().forEach(row -> table.row(row.toArray()));
    TextTable.lines(table).forEach(out::println);
  }
}
