package io.tierwise.cli.simulate;

import io.tierwise.cli.output.TextTable;
import io.tierwise.experiments.reproduce.Comparison;
import io.tierwise.experiments.reproduce.ResultFiles;
import io.tierwise.experiments.reproduce.RowKey;
import java.io.PrintWriter;
import java.util.List;

/** Paper beside ours, for a terminal and for programs. */
final class ReproductionTable {
  private ReproductionTable() {}

  static void print(String paper, List<Comparison> comparisons, PrintWriter out) {
    out.println(paper + ": " + ResultFiles.summary(comparisons));
    TextTable table =
        new TextTable()
            .left("figure", "case", "metric")
            .right("paper", "ours")
            .left("unit", "verdict");
    for (Comparison each : comparisons) {
      RowKey key = each.row().key();
      table.row(
          key.figure(),
          key.name(),
          key.metric(),
          each.row().printed().text(),
          each.oursText(),
          each.row().unit(),
          each.verdict().text());
    }
    table.print(out);
    out.println();
  }
}
