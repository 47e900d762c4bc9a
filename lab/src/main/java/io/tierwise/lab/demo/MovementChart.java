package io.tierwise.lab.demo;

import io.tierwise.lab.demo.MovementReader.Read;
import io.tierwise.simulator.report.Svg;
import java.util.List;

/** Draws every read of the movement demo over time, and what went on meanwhile. */
final class MovementChart {
  private static final int WIDTH = 980;
  private static final int LEFT = 64;
  private static final int RIGHT = 20;
  private static final int TOP = 92;
  private static final int PLOT_HEIGHT = 300;
  private static final int BOTTOM = 50;
  private static final String GREY = "#555";
  private static final String[] BANDS = {"#f4f4f4", "#ffffff"};
  private static final String DOT = "#1f6fb2";
  private static final double MILLIS = 1e3;

  private MovementChart() {}

  static String svg(String title, String subtitle, List<MovementPhase> phases, List<Read> reads) {
    Svg svg = new Svg(WIDTH, TOP + PLOT_HEIGHT + BOTTOM, title, subtitle);
    double end = phases.get(phases.size() - 1).untilSeconds();
    double[] sorted = reads.stream().mapToDouble(Read::seconds).sorted().toArray();
    // A single read that waited for a lost node must not flatten all others.
    double most = Math.max(1, 1.3 * MILLIS * MovementPhase.percentile(sorted, 0.995));
    double bottom = TOP + PLOT_HEIGHT;
    for (int i = 0; i < phases.size(); i++) {
      double from = x(phases.get(i).fromSeconds(), end);
      double until = x(phases.get(i).untilSeconds(), end);
      svg.rectangle(from, TOP, until - from, PLOT_HEIGHT, BANDS[i % BANDS.length]);
      svg.text(from + 3, TOP - 6 - 13 * (i % 2), Svg.Anchor.START, GREY, phases.get(i).name());
    }
    for (double value = 0; value <= most; value += Svg.stepFor(most)) {
      double y = bottom - value / most * PLOT_HEIGHT;
      svg.line(LEFT, y, WIDTH - RIGHT, y, "#ddd");
      svg.text(LEFT - 8, y + 4, Svg.Anchor.END, GREY, Svg.tick(value));
    }
    for (double second = 0; second <= end; second += Svg.stepFor(end)) {
      svg.text(x(second, end), bottom + 18, Svg.Anchor.MIDDLE, GREY, Svg.tick(second));
    }
    svg.text(
        LEFT,
        bottom + 38,
        Svg.Anchor.START,
        GREY,
        "seconds; each point is a read of a block, its height the milliseconds that it took (those"
            + " above the frame at its edge)");
    for (Read read : reads) {
      double height = Math.min(most, read.seconds() * MILLIS) / most * PLOT_HEIGHT;
      if (read.atSeconds() <= end) {
        svg.circle(x(read.atSeconds(), end), bottom - height, 1.6, DOT, "none");
      }
    }
    return svg.end();
  }

  private static double x(double seconds, double end) {
    return LEFT + seconds / end * (WIDTH - LEFT - RIGHT);
  }
}
