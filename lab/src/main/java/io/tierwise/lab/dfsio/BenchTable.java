package io.tierwise.lab.dfsio;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A comparison for people.
 *
 * @param legend its terms, a line each
 */
public record BenchTable(Table table, List<String> legend) {
  private static final String SPEED = "_megabytes_per_second";

  /**
   * A line a row; the first row is what the others' speed-up is measured against.
   *
   * @param tiers the tiers whose shares are shown, fastest first
   */
  public static BenchTable of(List<BenchRow> rows, List<String> tiers) {
    boolean bounded = rows.stream().anyMatch(row -> row.shareOfBound() != null);
    Map<String, String> keys = keys(tiers, bounded);
    Table table = new Table().text("placement", "access").number("read MB/s", "x first");
    keys.keySet().forEach(title -> table.number(title.strip()));
    double first = rows.get(0).readBytesPerSecond();
    for (BenchRow row : rows) {
      Map<String, Object> columns = row.columns(tiers);
      List<Object> cells = new ArrayList<>(List.of(row.placement(), row.access()));
      cells.add(cell("read" + SPEED, columns));
      cells.add(String.format(Locale.ROOT, "%.2f", row.readBytesPerSecond() / first));
      keys.values().forEach(key -> cells.add(cell(key, columns)));
      table.row(cells.toArray());
    }
    return new BenchTable(table, BenchRow.legend(bounded));
  }

  /** Titles with the names of what stands below; blanks tell equal titles apart. */
  private static Map<String, String> keys(List<String> tiers, boolean bounded) {
    Map<String, String> keys = new LinkedHashMap<>();
    if (bounded) {
      keys.put("of bound", "share_of_bound");
      keys.put("of choices", "share_of_choices");
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
