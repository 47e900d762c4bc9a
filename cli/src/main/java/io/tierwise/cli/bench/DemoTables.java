package io.tierwise.cli.bench;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import io.tierwise.lab.demo.DemoSummary;
import io.tierwise.lab.demo.PredictionTable;
import java.io.PrintWriter;
import java.util.List;

/** The results of the demo as tables for people. */
final class DemoTables {
  private DemoTables() {}

  static void print(DemoSummary summary, PrintWriter out) {
    out.println();
    out.println(Fold.text(summary.headline()));
    out.println();
    Table table = new Table().text(DemoSummary.TITLES.get(0));
    DemoSummary.TITLES.subList(1, DemoSummary.TITLES.size()).forEach(table::number);
    print(table, summary.table(), out);
    summary.terms().forEach(term -> out.println(Fold.text(term)));
    out.println("Devices and links are emulated; data was read from the page cache.");
    out.flush();
  }

  static void print(PredictionTable predictions, PrintWriter out) {
    List<String> titles = PredictionTable.TITLES;
    out.println(Fold.text(PredictionTable.explanation()));
    out.println();
    Table table = new Table().text(titles.get(0)).text(titles.get(1));
    titles.subList(2, titles.size()).forEach(table::number);
    print(table, predictions.rows(), out);
    predictions.verdicts().forEach(verdict -> out.println(Fold.text(verdict.text())));
  }

  private static void print(Table table, List<String[]> rows, PrintWriter out) {
    rows.forEach(row -> table.row((Object[]) row));
    TextTable.lines(table).forEach(out::println);
    out.println();
  }
}
