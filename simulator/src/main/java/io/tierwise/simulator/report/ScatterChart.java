package io.tierwise.simulator.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Cases as points of two figures, both better when smaller; the Pareto front joined by a line. */
public final class ScatterChart {
  private static final int WIDTH = 760;
  private static final int LEFT = 90;
  private static final int RIGHT = 60;
  private static final int TOP = 70;
  private static final int PLOT_HEIGHT = 400;
  private static final int BOTTOM = 60;
  private static final double MARGIN = 0.08;

  /**
   * Own: values whose difference is a smaller share of them differ by rounding alone. A grid
   * between them would have lines closer than a double can tell apart, and so no end.
   */
  private static final double SAME_SHARE = 1e-9;

  private static final String GREY = "#555";

  private ScatterChart() {}

  /** One point; both coordinates finite. */
  public record Point(String label, double x, double y, boolean front) {}

  /** Draws it; points that are not finite are left out. */
  public static String svg(String title, Figure horizontal, Figure vertical, List<Point> points) {
    Svg svg =
        new Svg(
            WIDTH,
            TOP + PLOT_HEIGHT + BOTTOM,
            title,
            vertical.title().strip() + " over " + horizontal.title().strip());
    List<Point> finite =
        points.stream().filter(p -> Double.isFinite(p.x()) && Double.isFinite(p.y())).toList();
    if (!finite.isEmpty()) {
      draw(svg, horizontal, vertical, finite);
    }
    return svg.end();
  }

  /** A range of values and the pixels it takes. */
  private record Axis(double least, double most, double step, double start, double length) {
    /** Round ends, a step beyond the outermost values. */
    static Axis of(double[] values, double start, double length) {
      double least = Arrays.stream(values).min().orElseThrow();
      double most = Arrays.stream(values).max().orElseThrow();
      double size = Math.max(Math.abs(least), Math.abs(most));
      boolean differ = most - least > SAME_SHARE * size;
      double range = differ ? most - least : Math.max(1e-9, size);
      double step = Svg.stepFor(range);
      double low = Math.floor((least - MARGIN * range) / step) * step;
      double high = Math.ceil((most + MARGIN * range) / step) * step;
      return new Axis(least >= 0 ? Math.max(0, low) : low, high, step, start, length);
    }

    double at(double value) {
      return start + (value - least) / (most - least) * length;
    }
  }

  private static void draw(Svg svg, Figure horizontal, Figure vertical, List<Point> points) {
    Axis across =
        Axis.of(points.stream().mapToDouble(Point::x).toArray(), LEFT, WIDTH - LEFT - RIGHT);
    Axis up =
        Axis.of(points.stream().mapToDouble(Point::y).toArray(), TOP + PLOT_HEIGHT, -PLOT_HEIGHT);
    grid(svg, horizontal, vertical, across, up);
    List<Point> front = new ArrayList<>(points.stream().filter(Point::front).toList());
    front.sort(Comparator.comparingDouble(Point::x).thenComparingDouble(Point::y));
    double[] line = new double[2 * front.size()];
    for (int i = 0; i < front.size(); i++) {
      line[2 * i] = across.at(front.get(i).x());
      line[2 * i + 1] = up.at(front.get(i).y());
    }
    if (front.size() > 1) {
      svg.polyline(line, Palette.colour(5));
    }
    for (Point point : points) {
      double x = across.at(point.x());
      double y = up.at(point.y());
      svg.circle(x, y, 5, point.front() ? Palette.colour(5) : "white", Palette.colour(0));
      boolean left = x > LEFT + (WIDTH - LEFT - RIGHT) * 0.7;
      svg.text(
          left ? x - 9 : x + 9,
          y + 4,
          left ? Svg.Anchor.END : Svg.Anchor.START,
          point.front() ? "#000" : GREY,
          point.label());
    }
  }

  private static void grid(Svg svg, Figure horizontal, Figure vertical, Axis across, Axis up) {
    for (double x = across.least(); x <= across.most() + across.step() / 2; x += across.step()) {
      double at = across.at(x);
      svg.line(at, TOP, at, TOP + PLOT_HEIGHT, "#ddd");
      svg.text(at, TOP + PLOT_HEIGHT + 20, Svg.Anchor.MIDDLE, GREY, horizontal.format().text(x));
    }
    for (double y = up.least(); y <= up.most() + up.step() / 2; y += up.step()) {
      svg.line(LEFT, up.at(y), WIDTH - RIGHT, up.at(y), "#ddd");
      svg.text(LEFT - 8, up.at(y) + 4, Svg.Anchor.END, GREY, vertical.format().text(y));
    }
    svg.text(
        (LEFT + WIDTH - RIGHT) / 2.0,
        TOP + PLOT_HEIGHT + 42,
        Svg.Anchor.MIDDLE,
        GREY,
        horizontal.title().strip());
  }
}
