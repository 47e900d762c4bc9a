package io.tierwise.cli.bench;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.lab.dfsio.BenchRow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints a comparison for people. */
public final class BenchTable {
  private static final String LIMIT =
      "of limit: share of what nothing can pass, given the devices' and links' nominal speeds";

  private static final List<String> LEGEND =
      List.of(
          "read, write MB/s: all bytes by the sum of all task times; median of the repeats",
          "mean, deviation: of the tasks' own rates in a repeat; median of the repeats",
          "x first: read MB/s against the first row; MB is 10^6 bytes",
          "tiers, local, rack, remote: where the bytes came from; network: from another node");

  private BenchTable() {}

  /**
   * Prints a line a row.
   *
   * @param tiers the tiers whose shares are shown, fastest first
   * @param baseline the row that the speed-up is measured against; null for no such column
   */
  public static void print(
      PrintWriter out, List<BenchRow> rows, List<String> tiers, BenchRow baseline) {
    TextTable table = new TextTable().left("placement").left("access");
    boolean bounded = rows.stream().anyMatch(row -> row.shareOfBound() != null);
    table.right("read MB/s").right("x first");
    if (bounded) {
      table.right("of bound").right("of limit");
    }
    table.right("write MB/s").right("network");
    table.right("read mean").right("deviation").right("write mean").right("deviation");
    tiers.forEach(table::right);
    table.right("local").right("rack").right("remote").right("refused");
    for (BenchRow row : rows) {
      Map<String, Object> columns = row.columns(tiers);
      List<Object> cells = new ArrayList<>(List.of(row.placement(), row.access()));
      cells.add(speed(columns, "read"));
      cells.add(
          baseline == null
              ? null
              : String.format(
                  Locale.ROOT, "%.2f", row.readBytesPerSecond() / baseline.readBytesPerSecond()));
      if (bounded) {
        cells.add(share(columns, "of_bound"));
        cells.add(share(columns, "of_limit"));
      }
      cells.add(speed(columns, "write"));
      cells.add(Words.bytes((Long) columns.get("network_bytes")));
      cells.add(speed(columns, "read_average"));
      cells.add(speed(columns, "read_deviation"));
      cells.add(speed(columns, "write_average"));
      cells.add(speed(columns, "write_deviation"));
      tiers.forEach(tier -> cells.add(share(columns, tier.replace('-', '_'))));
      cells.add(share(columns, "local"));
      cells.add(share(columns, "rack"));
      cells.add(share(columns, "remote"));
      cells.add(columns.get("refusals"));
      table.row(cells.toArray());
    }
    table.print(out);
    out.println();
    if (bounded) {
      List.of(BenchRow.BOUND, LIMIT).forEach(line -> out.println(Fold.text(line)));
    }
    LEGEND.forEach(line -> out.println(Fold.text(line)));
    out.flush();
  }

  private static String speed(Map<String, Object> columns, String name) {
    Double value = (Double) columns.get(name + "_megabytes_per_second");
    return value == null ? null : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String share(Map<String, Object> columns, String name) {
    return BenchRow.percent((Double) columns.get("share_" + name));
  }
}
