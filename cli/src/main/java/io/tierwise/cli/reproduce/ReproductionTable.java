package io.tierwise.cli.reproduce;

import io.tierwise.cli.output.TextTable;
import io.tierwise.experiments.reproduce.Comparison;
import io.tierwise.experiments.reproduce.ResultFiles;
import io.tierwise.experiments.reproduce.RowKey;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Paper beside ours, for a terminal and for programs. */
final class ReproductionTable {
  private ReproductionTable() {}

  static void print(String paper, List<Comparison> comparisons, PrintWriter out) {
    out.println(paper + ": " + ResultFiles.summary(comparisons));
    TextTable table =
        new TextTable()
            .left("figure")
            .left("case")
            .left("metric")
            .right("paper")
            .right("ours")
            .left("unit")
            .left("verdict");
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
  }

  static List<Object> json(String paper, List<Comparison> comparisons) {
    List<Object> rows = new ArrayList<>();
    for (Comparison each : comparisons) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("paper", paper);
      row.put("figure", each.row().key().figure());
      row.put("case", each.row().key().name());
      row.put("metric", each.row().key().metric());
      row.put("unit", each.row().unit());
      row.put("printed", each.row().printed().text());
      row.put("ours", each.ours() == null ? null : finite(each.ours().mean()));
      row.put("half_width_95", each.ours() == null ? null : finite(each.ours().halfWidth()));
      row.put("tolerance", each.tolerance().text());
      row.put("verdict", each.verdict());
      row.put("cause", each.cause());
      rows.add(row);
    }
    return rows;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
