package io.tierwise.cli.simulate;

import io.tierwise.cli.output.TextTable;
import io.tierwise.simulator.report.Report;
import java.io.PrintWriter;
import java.util.List;

/** Prints a report for a terminal: as many cases side by side as fit, then the next ones below. */
final class ReportTable {
  private static final int GAP = 2;
  private static final int LABEL_MAX = 40;

  private ReportTable() {}

  static void print(Report report, PrintWriter out) {
    List<List<String>> rows = report.rows();
    List<String> titles =
        report.cases().stream().map(each -> shortened(Report.title(each))).toList();
    int first = 0;
    while (first < titles.size()) {
      int last = lastThatFits(rows, titles, first);
      TextTable table = new TextTable().left("");
      titles.subList(first, last).forEach(table::right);
      for (List<String> row : rows) {
        Object[] cells = new Object[last - first + 1];
        cells[0] = row.get(0);
        for (int i = first; i < last; i++) {
          cells[i - first + 1] = row.get(i + 1);
        }
        table.row(cells);
      }
      table.print(out);
      first = last;
      if (first < titles.size()) {
        out.println();
      }
    }
  }

  private static String shortened(String title) {
    return title.length() <= LABEL_MAX ? title : title.substring(0, LABEL_MAX - 1) + "…";
  }

  private static int lastThatFits(List<List<String>> rows, List<String> titles, int first) {
    int width = rows.stream().mapToInt(row -> row.get(0).length()).max().orElse(0);
    int last = first;
    while (last < titles.size()) {
      int column = last + 1;
      int cells = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
      width += GAP + Math.max(cells, titles.get(last).length());
      if (width > TextTable.WIDTH && last > first) {
        break;
      }
      last++;
    }
    return last;
  }
}
