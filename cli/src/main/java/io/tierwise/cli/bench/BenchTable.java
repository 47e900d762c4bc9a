package io.tierwise.cli.bench;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.lab.dfsio.BenchRow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints a comparison for people. */
public final class BenchTable {
  private static final String SPEED = "_megabytes_per_second";

  private BenchTable() {}

  /**
   * Prints a line a row.
   *
   * @param tiers the tiers whose shares are shown, fastest first
   * @param baseline the row that the speed-up is measured against
   */
  public static void print(
      PrintWriter out, List<BenchRow> rows, List<String> tiers, BenchRow baseline) {
    boolean bounded = rows.stream().anyMatch(row -> row.shareOfBound() != null);
    Map<String, String> keys = keys(tiers, bounded);
    TextTable table = new TextTable().left("placement", "access").right("read MB/s", "x first");
    keys.keySet().forEach(title -> table.right(title.strip()));
    for (BenchRow row : rows) {
      Map<String, Object> columns = row.columns(tiers);
      List<Object> cells = new ArrayList<>(List.of(row.placement(), row.access()));
      cells.add(cell("read" + SPEED, columns));
      cells.add(
          String.format(
              Locale.ROOT, "%.2f", row.readBytesPerSecond() / baseline.readBytesPerSecond()));
      keys.values().forEach(key -> cells.add(cell(key, columns)));
      table.row(cells.toArray());
    }
    table.print(out);
    out.println();
    BenchRow.legend(bounded).forEach(line -> out.println(Fold.text(line)));
    out.flush();
  }

  /** Titles with the names of what stands below; blanks tell equal titles apart. */
  private static Map<String, String> keys(List<String> tiers, boolean bounded) {
    Map<String, String> keys = new LinkedHashMap<>();
    if (bounded) {
      keys.put("of bound", "share_of_bound");
      keys.put("of limit", "share_of_limit");
    }
    keys.put("write MB/s", "write" + SPEED);
    keys.put("network", "network_bytes");
    keys.put("read mean", "read_average" + SPEED);
    keys.put("deviation", "read_deviation" + SPEED);
    keys.put("write mean", "write_average" + SPEED);
    keys.put(" deviation", "write_deviation" + SPEED);
    tiers.forEach(tier -> keys.put(tier, "share_" + tier.replace('-', '_')));
    List.of("local", "rack", "remote").forEach(where -> keys.put(where, "share_" + where));
    keys.put("refused", "refusals");
    return keys;
  }

  private static Object cell(String key, Map<String, Object> columns) {
    Object value = columns.get(key);
    if (key.startsWith("share_")) {
      return BenchRow.percent((Double) value);
    }
    if (key.endsWith(SPEED)) {
      return value == null ? null : String.format(Locale.ROOT, "%.1f", (Double) value);
    }
    return key.endsWith("_bytes") ? Words.bytes((Long) value) : value;
  }
}
