package io.tierwise.simulator.report;

import java.util.List;
import java.util.Locale;

/** Lines over time. */
final class LineChart {
  private static final int WIDTH = 900;
  private static final int LEFT = 70;
  private static final int RIGHT = 24;
  private static final int TOP = 84;
  private static final int PLOT_HEIGHT = 280;
  private static final int BOTTOM = 50;
  private static final String GREY = "#555";
  private static final int POINTS_MAX = 2000;

  private LineChart() {}

  /**
   * One line.
   *
   * @param values the i-th holds from i to i + 1 intervals
   */
  record Line(String name, double intervalSeconds, double[] values) {}

  static String svg(String title, String axis, List<Line> lines) {
    Svg svg = new Svg(WIDTH, TOP + PLOT_HEIGHT + BOTTOM, title, axis + " over seconds");
    double end = 0;
    double most = 0;
    for (Line line : lines) {
      end = Math.max(end, line.intervalSeconds() * line.values().length);
      for (double value : line.values()) {
        most = Double.isFinite(value) ? Math.max(most, value) : most;
      }
    }
    if (end > 0 && most > 0) {
      grid(svg, end, most);
    }
    double x = 16;
    for (int i = 0; i < lines.size(); i++) {
      svg.rectangle(x, 57, 12, 12, Palette.colour(i));
      svg.text(x + 17, 67, Svg.Anchor.START, "#000", lines.get(i).name());
      x += 40 + 7.0 * lines.get(i).name().length();
      if (end > 0 && most > 0 && lines.get(i).values().length > 0) {
        svg.polyline(points(lines.get(i), end, most), Palette.colour(i));
      }
    }
    return svg.end();
  }

  private static void grid(Svg svg, double end, double most) {
    double bottom = TOP + PLOT_HEIGHT;
    double step = Svg.stepFor(most);
    for (double value = 0; value <= most; value += step) {
      double y = bottom - value / most * PLOT_HEIGHT;
      svg.line(LEFT, y, WIDTH - RIGHT, y, "#ddd");
      svg.text(LEFT - 8, y + 4, Svg.Anchor.END, GREY, shortened(value));
    }
    double tick = Svg.stepFor(end);
    for (double second = 0; second <= end; second += tick) {
      double x = LEFT + second / end * (WIDTH - LEFT - RIGHT);
      svg.line(x, bottom, x, bottom + 5, GREY);
      svg.text(x, bottom + 20, Svg.Anchor.MIDDLE, GREY, shortened(second));
    }
  }

  private static String shortened(double value) {
    return value >= 1e5 ? String.format(Locale.ROOT, "%.3g", value) : Svg.tick(value);
  }

  /** Steps; of very long lines every k-th mean. */
  private static double[] points(Line line, double end, double most) {
    int stride = Math.max(1, (line.values().length + POINTS_MAX - 1) / POINTS_MAX);
    int count = (line.values().length + stride - 1) / stride;
    double[] points = new double[4 * count];
    for (int i = 0; i < count; i++) {
      int from = i * stride;
      int to = Math.min(from + stride, line.values().length);
      double sum = 0;
      for (int j = from; j < to; j++) {
        sum += Double.isFinite(line.values()[j]) ? line.values()[j] : 0;
      }
      double y = TOP + PLOT_HEIGHT - sum / (to - from) / most * PLOT_HEIGHT;
      points[4 * i] = x(line, from, end);
      points[4 * i + 1] = y;
      points[4 * i + 2] = x(line, to, end);
      points[4 * i + 3] = y;
    }
    return points;
  }

  private static double x(Line line, int index, double end) {
    return LEFT + index * line.intervalSeconds() / end * (WIDTH - LEFT - RIGHT);
  }
}
