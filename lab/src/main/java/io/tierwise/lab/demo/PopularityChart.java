package io.tierwise.lab.demo;

import io.tierwise.core.message.Words;
import io.tierwise.simulator.report.Svg;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Draws the heat of each file in each phase, and whether the fast tier had it: a panel a run. */
final class PopularityChart {
  private static final int PANELS_IN_A_ROW = 2;
  private static final int WIDTH = 980;
  private static final int TOP = 64;
  private static final int PANEL_WIDTH = WIDTH / PANELS_IN_A_ROW;
  private static final int LEFT = 46;
  private static final int RIGHT = 20;
  private static final int CELL_HEIGHT = 12;
  private static final int TITLE_HEIGHT = 26;
  private static final int BOTTOM = 40;
  private static final String GREY = "#555";
  private static final String BLACK = "#000";
  private static final String COLD = "#f4f4f4";
  private static final String FAST = "#1f6fb2";

  /** Few reads to many. */
  private static final String[] HEAT = {"#fbe3c0", "#f4bf7a", "#ea9a3c", "#d8741a"};

  private final Svg svg;

  private PopularityChart(Svg svg) {
    this.svg = svg;
  }

  static String svg(List<ManagedRun> runs, String title, String subtitle) {
    int files = runs.get(0).phases().get(0).heard().size();
    int panelHeight = TITLE_HEIGHT + files * CELL_HEIGHT + BOTTOM;
    int rows = (runs.size() + PANELS_IN_A_ROW - 1) / PANELS_IN_A_ROW;
    Svg svg = new Svg(WIDTH, TOP + rows * panelHeight, title, subtitle);
    PopularityChart chart = new PopularityChart(svg);
    for (int i = 0; i < runs.size(); i++) {
      chart.panel(
          runs.get(i), i % PANELS_IN_A_ROW * PANEL_WIDTH, TOP + i / PANELS_IN_A_ROW * panelHeight);
    }
    return svg.end();
  }

  private void panel(ManagedRun run, int left, int top) {
    svg.text(
        left + LEFT,
        top + 16,
        Svg.Anchor.START,
        BLACK,
        String.format(
            Locale.ROOT,
            "%s: %.1f s of reading, %s moved",
            run.way().text(),
            run.readerSeconds(),
            Words.bytes(run.movedBytes())));
    double width = (double) (PANEL_WIDTH - LEFT - RIGHT) / run.phases().size();
    for (int phase = 0; phase < run.phases().size(); phase++) {
      column(run.phases().get(phase), left + LEFT + phase * width, top + TITLE_HEIGHT, width);
      svg.text(
          left + LEFT + (phase + 0.5) * width,
          top + TITLE_HEIGHT + run.phases().get(phase).heard().size() * CELL_HEIGHT + 14,
          Svg.Anchor.MIDDLE,
          GREY,
          String.valueOf(phase + 1));
    }
    svg.text(left + LEFT - 6, top + TITLE_HEIGHT + 10, Svg.Anchor.END, GREY, "file 0");
  }

  private void column(PopularityPhase phase, double x, int top, double width) {
    int most = Math.max(1, Collections.max(phase.heard()));
    for (int file = 0; file < phase.heard().size(); file++) {
      int y = top + file * CELL_HEIGHT;
      int reads = phase.heard().get(file);
      String colour = reads == 0 ? COLD : HEAT[(reads * HEAT.length - 1) / most];
      svg.rectangle(x + 1, y + 1, width - 2, CELL_HEIGHT - 2, colour);
      if (phase.there().contains(file)) {
        svg.rectangle(x + 1, y + CELL_HEIGHT - 5, width - 2, 4, FAST);
      }
    }
  }
}
