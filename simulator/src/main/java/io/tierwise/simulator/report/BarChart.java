package io.tierwise.simulator.report;

import java.util.List;

/** Bars, a row a case; a bar may be made of parts, and have a whisker for its interval. */
public final class BarChart {
  private static final int LABEL_WIDTH_MIN = 250;
  private static final int LABEL_LENGTH_MAX = 66;
  private static final int CHARACTER_WIDTH = 7;
  private static final int BAR_WIDTH = 560;
  private static final int VALUE_WIDTH = 130;
  private static final int ROW_HEIGHT = 28;
  private static final int TOP = 84;
  private static final int BOTTOM = 46;
  private static final String GREY = "#555";

  private BarChart() {}

  /**
   * One bar.
   *
   * @param parts lengths of its parts, one after the other
   * @param halfWidth of the whisker at its end; NaN or 0 for none
   * @param text behind it
   */
  public record Bar(String label, double[] parts, double halfWidth, String text) {
    double length() {
      double sum = 0;
      for (double part : parts) {
        sum += Double.isFinite(part) ? part : 0;
      }
      return sum;
    }
  }

  /**
   * Draws it.
   *
   * @param partNames for the legend; a single part needs none
   * @param axis what the grid's figures are
   * @param axisUnit the grid's figures are lengths divided by it
   */
  public static String svg(
      String title, List<String> partNames, List<Bar> bars, String axis, double axisUnit) {
    int height = TOP + bars.size() * ROW_HEIGHT + BOTTOM;
    int left = labelWidth(bars);
    Svg svg = new Svg(left + BAR_WIDTH + VALUE_WIDTH, height, title, axis);
    double most = 0;
    for (Bar bar : bars) {
      most = Math.max(most, bar.length() + (bar.halfWidth() > 0 ? bar.halfWidth() : 0));
    }
    double scale = most > 0 ? BAR_WIDTH / most : 0;
    if (partNames.size() > 1) {
      legend(svg, partNames);
    }
    if (most > 0) {
      grid(svg, left, most / axisUnit, scale * axisUnit, height);
    }
    for (int i = 0; i < bars.size(); i++) {
      row(svg, bars.get(i), left, TOP + i * ROW_HEIGHT, scale);
    }
    return svg.end();
  }

  private static int labelWidth(List<Bar> bars) {
    int longest = bars.stream().mapToInt(bar -> shown(bar.label()).length()).max().orElse(0);
    return Math.max(LABEL_WIDTH_MIN, 26 + CHARACTER_WIDTH * longest);
  }

  /** A label that is too long loses its beginning: cases differ at their ends. */
  private static String shown(String label) {
    return label.length() <= LABEL_LENGTH_MAX
        ? label
        : "…" + label.substring(label.length() - LABEL_LENGTH_MAX + 1);
  }

  private static void legend(Svg svg, List<String> names) {
    double x = 16;
    for (int i = 0; i < names.size(); i++) {
      svg.rectangle(x, 57, 12, 12, Palette.colour(i));
      svg.text(x + 17, 67, Svg.Anchor.START, "#000", names.get(i));
      x += 40 + 7.0 * names.get(i).length();
    }
  }

  private static void grid(Svg svg, int left, double most, double scale, int height) {
    double step = Svg.stepFor(most);
    for (double value = 0; value <= most; value += step) {
      double x = left + value * scale;
      svg.line(x, TOP - 6, x, height - BOTTOM + 6, "#ddd");
      svg.text(x, height - BOTTOM + 22, Svg.Anchor.MIDDLE, GREY, Svg.tick(value));
    }
  }

  private static void row(Svg svg, Bar bar, int left, int y, double scale) {
    svg.text(left - 10, y + 15, Svg.Anchor.END, "#000", shown(bar.label()));
    double x = left;
    for (int i = 0; i < bar.parts().length; i++) {
      double width = Double.isFinite(bar.parts()[i]) ? bar.parts()[i] * scale : 0;
      svg.rectangle(x, y + 3, width, 16, Palette.colour(i));
      x += width;
    }
    if (bar.halfWidth() > 0) {
      double half = bar.halfWidth() * scale;
      svg.line(Math.max(left, x - half), y + 11, x + half, y + 11, "#222");
      x += half;
    }
    svg.text(x + 6, y + 15, Svg.Anchor.START, "#000", bar.text());
  }
}
