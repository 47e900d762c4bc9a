package io.tierwise.lab.demo;

import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.simulator.report.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws the comparison as bars, fastest reads first: reads with the range of repeats, and writes.
 */
public final class DemoChart {
  private static final int LABEL_WIDTH = 330;
  private static final int BAR_WIDTH = 560;
  private static final int VALUE_WIDTH = 90;
  private static final int ROW_HEIGHT = 38;
  private static final int TOP = 86;
  private static final int BOTTOM = 56;
  private static final int WIDTH = LABEL_WIDTH + BAR_WIDTH + VALUE_WIDTH;

  private static final String STOCK_COLOUR = "#8a8a8a";
  private static final String READ_COLOUR = "#1f6fb2";
  private static final String WRITE_COLOUR = "#e3a857";
  private static final String RANGE_COLOUR = "#222";
  private static final double MEGABYTE = 1e6;
  private static final String GREY = "#555";
  private static final String BLACK = "#000";

  private final Svg svg;
  private final List<BenchRow> rows;
  private final double most;

  private DemoChart(List<BenchRow> rows, String title, String subtitle) {
    svg = new Svg(WIDTH, height(rows), title, subtitle);
    this.rows =
        rows.stream()
            .sorted(Comparator.comparingDouble(BenchRow::readBytesPerSecond).reversed())
            .toList();
    most = rows.stream().mapToDouble(row -> row.highest(row.reads()) / MEGABYTE).max().orElse(1);
  }

  /** The chart as SVG. */
  public static String svg(List<BenchRow> rows, String title, String subtitle) {
    return new DemoChart(rows, title, subtitle).draw();
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
    svg.text(
        x,
        67,
        Svg.Anchor.START,
        GREY,
        "line: slowest to fastest repeat; number and bar: their median");
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
        "MB/s that one task gets (all bytes by the sum of all task times)");
  }

  /** The number of the reads stands behind their range, that of the writes a line below. */
  private void row(BenchRow row, int y) {
    double read = row.readBytesPerSecond() / MEGABYTE;
    double lowest = row.lowest(row.reads()) / MEGABYTE;
    double highest = row.highest(row.reads()) / MEGABYTE;
    double write = row.writeBytesPerSecond() / MEGABYTE;
    String name = row.placement() + " / " + row.access();
    svg.text(LABEL_WIDTH - 10, y + 20, Svg.Anchor.END, BLACK, name);
    bar(y + 3, 15, read, DemoSummary.isStock(row) ? STOCK_COLOUR : READ_COLOUR);
    bar(y + 22, 9, write, WRITE_COLOUR);
    svg.line(x(lowest), y + 10, x(highest), y + 10, RANGE_COLOUR);
    svg.line(x(lowest), y + 6, x(lowest), y + 14, RANGE_COLOUR);
    svg.line(x(highest), y + 6, x(highest), y + 14, RANGE_COLOUR);
    svg.text(x(highest) + 6, y + 14, Svg.Anchor.START, BLACK, number(read));
    svg.text(x(write) + 6, y + 31, Svg.Anchor.START, GREY, number(write));
  }

  private static String number(double megabytes) {
    return String.format(Locale.ROOT, "%.1f", megabytes);
  }

  private void bar(int y, int height, double value, String colour) {
    svg.rectangle(LABEL_WIDTH, y, x(value) - LABEL_WIDTH, height, colour);
  }

  private int x(double value) {
    return LABEL_WIDTH + (int) Math.round(value / most * BAR_WIDTH);
  }
}
