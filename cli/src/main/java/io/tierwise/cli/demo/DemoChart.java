package io.tierwise.cli.demo;

import io.tierwise.cli.bench.BenchRow;
import io.tierwise.simulator.report.Svg;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws the comparison as bars: read and write speed a row, with the deviation between tasks. */
final class DemoChart {
  private static final int LABEL_WIDTH = 330;
  private static final int BAR_WIDTH = 560;
  private static final int VALUE_WIDTH = 90;
  private static final int ROW_HEIGHT = 30;
  private static final int TOP = 86;
  private static final int BOTTOM = 56;
  private static final int WIDTH = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;

  private static final String STOCK_COLOUR = "#8a8a8a";
  private static final String READ_COLOUR = "#1f6fb2";
  private static final String WRITE_COLOUR = "#e3a857";
  private static final String GREY = "#555";
  private static final String BLACK = "#000";

  private final Svg svg;
  private final List<BenchRow> rows;
  private final List<String> tiers;
  private final double most;

  private DemoChart(List<BenchRow> rows, List<String> tiers, String title, String subtitle) {
    svg = new Svg(WIDTH, height(rows), title, subtitle);
    this.rows = rows;
    this.tiers = tiers;
    most =
        rows.stream()
            .map(row -> row.columns(tiers))
            .mapToDouble(columns -> speed(columns, "read") + speed(columns, "read_deviation"))
            .max()
            .orElse(1);
  }

  /** The chart as SVG. */
  static String svg(List<BenchRow> rows, List<String> tiers, String title, String subtitle) {
    return new DemoChart(rows, tiers, title, subtitle).draw();
  }

  private static double speed(Map<String, Object> columns, String name) {
    return (Double) columns.get(name + "_megabytes_per_second");
  }

  private static int height(List<BenchRow> rows) {
    return TOP + rows.size() * ROW_HEIGHT + BOTTOM;
  }

  private String draw() {
    legend();
    grid(height(rows));
    for (int i = 0; i < rows.size(); i++) {
      row(rows.get(i), TOP + i * ROW_HEIGHT);
    }
    return svg.end();
  }

  private void legend() {
    String[][] entries = {
      {STOCK_COLOUR, "read, stock HDFS"},
      {READ_COLOUR, "read, Tierwise"},
      {WRITE_COLOUR, "write"}
    };
    int x = 16;
    for (String[] entry : entries) {
      svg.rectangle(x, 57, 12, 12, entry[0]);
      svg.text(x + 17, 67, Svg.Anchor.START, BLACK, entry[1]);
      x += 40 + 7 * entry[1].length();
    }
    svg.text(x, 67, Svg.Anchor.START, GREY, "line: one standard deviation between tasks");
  }

  private void grid(int height) {
    double step = Svg.stepFor(most);
    for (double value = 0; value <= most; value += step) {
      int x = x(value);
      svg.line(x, TOP - 4, x, height - BOTTOM + 6, "#ddd");
      svg.text(x, height - BOTTOM + 22, Svg.Anchor.MIDDLE, GREY, Svg.tick(value));
    }
    svg.text(
        LABEL_WIDTH,
        height - BOTTOM + 42,
        Svg.Anchor.START,
        GREY,
        "MB/s a task (TestDFSIO throughput)");
  }

  private void row(BenchRow row, int y) {
    Map<String, Object> columns = row.columns(tiers);
    double read = speed(columns, "read");
    double deviation = speed(columns, "read_deviation");
    double write = speed(columns, "write");
    svg.text(
        LABEL_WIDTH - 10, y + 16, Svg.Anchor.END, BLACK, row.placement() + " / " + row.access());
    bar(y + 3, 13, read, row.access().startsWith(DemoPlacement.STOCK) ? STOCK_COLOUR : READ_COLOUR);
    bar(y + 17, 5, write, WRITE_COLOUR);
    svg.line(x(Math.max(0, read - deviation)), y + 9, x(read + deviation), y + 9, "#222");
    svg.text(
        x(read + deviation) + 6,
        y + 14,
        Svg.Anchor.START,
        BLACK,
        String.format(Locale.ROOT, "%.1f", read));
  }

  private void bar(int y, int height, double value, String colour) {
    svg.rectangle(LABEL_WIDTH, y, x(value) - LABEL_WIDTH, height, colour);
  }

  private int x(double value) {
    return LABEL_WIDTH + (int) Math.round(value / most * BAR_WIDTH);
  }
}
