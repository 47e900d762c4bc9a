package io.tierwise.cli.demo;

import io.tierwise.cli.bench.BenchRow;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws the comparison as bars: read and write speed a row, with the deviation between tasks. */
final class DemoChart {
  private static final DecimalFormatSymbols ENGLISH = DecimalFormatSymbols.getInstance(Locale.ROOT);

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

  private final StringBuilder svg = new StringBuilder();
  private final List<BenchRow> rows;
  private final List<String> tiers;
  private final double most;

  private DemoChart(List<BenchRow> rows, List<String> tiers) {
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
    return new DemoChart(rows, tiers).draw(title, subtitle);
  }

  private static double speed(Map<String, Object> columns, String name) {
    return (Double) columns.get(name + "_megabytes_per_second");
  }

  private String draw(String title, String subtitle) {
    int height = TOP + rows.size() * ROW_HEIGHT + BOTTOM;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH, height, WIDTH, height);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    add("<text x=\"16\" y=\"26\" font-size=\"17\" font-weight=\"bold\">%s</text>", safe(title));
    add("<text x=\"16\" y=\"46\" fill=\"#555\">%s</text>", safe(subtitle));
    legend();
    grid(height);
    for (int i = 0; i < rows.size(); i++) {
      row(rows.get(i), TOP + i * ROW_HEIGHT);
    }
    add("</svg>");
    return svg.toString();
  }

  private void legend() {
    String[][] entries = {
      {STOCK_COLOUR, "read, stock HDFS"},
      {READ_COLOUR, "read, Tierwise"},
      {WRITE_COLOUR, "write"}
    };
    int x = 16;
    for (String[] entry : entries) {
      add("<rect x=\"%d\" y=\"57\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, entry[0]);
      add("<text x=\"%d\" y=\"67\">%s</text>", x + 17, entry[1]);
      x += 40 + 7 * entry[1].length();
    }
    add(
        "<text x=\"%d\" y=\"67\" fill=\"#555\">line: one standard deviation between tasks</text>",
        x);
  }

  private void grid(int height) {
    double step = stepFor(most);
    for (double value = 0; value <= most; value += step) {
      int x = x(value);
      add(
          "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ddd\"/>",
          x, TOP - 4, x, height - BOTTOM + 6);
      add(
          "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s</text>",
          x, height - BOTTOM + 22, new DecimalFormat("0.##", ENGLISH).format(value));
    }
    add(
        "<text x=\"%d\" y=\"%d\" fill=\"#555\">MB/s a task (TestDFSIO throughput)</text>",
        LABEL_WIDTH, height - BOTTOM + 42);
  }

  static double stepFor(double most) {
    double step = Math.pow(10, Math.floor(Math.log10(most)));
    while (most / step < 4) {
      step /= 2;
    }
    return step;
  }

  private void row(BenchRow row, int y) {
    Map<String, Object> columns = row.columns(tiers);
    double read = speed(columns, "read");
    double deviation = speed(columns, "read_deviation");
    double write = speed(columns, "write");
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
        LABEL_WIDTH - 10, y + 16, safe(row.placement() + " / " + row.access()));
    bar(y + 3, 13, read, row.access().startsWith(DemoPlacement.STOCK) ? STOCK_COLOUR : READ_COLOUR);
    bar(y + 17, 5, write, WRITE_COLOUR);
    add(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#222\"/>",
        x(Math.max(0, read - deviation)), y + 9, x(read + deviation), y + 9);
    add("<text x=\"%d\" y=\"%d\">%.1f</text>", x(read + deviation) + 6, y + 14, read);
  }

  private void bar(int y, int height, double value, String colour) {
    add(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>",
        LABEL_WIDTH, y, x(value) - LABEL_WIDTH, height, colour);
  }

  private int x(double value) {
    return LABEL_WIDTH + (int) Math.round(value / most * BAR_WIDTH);
  }

  private static String safe(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
