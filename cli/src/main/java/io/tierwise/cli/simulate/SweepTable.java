package io.tierwise.cli.simulate;

import io.tierwise.cli.output.TextTable;
import io.tierwise.experiments.sweep.SweepResult;
import io.tierwise.simulator.report.Estimate;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A sweep's points for people, with the Pareto front of each workload marked. */
final class SweepTable {
  private SweepTable() {}

  static void print(SweepResult sweep, PrintWriter out) {
    boolean[] front = sweep.front();
    TextTable table = new TextTable();
    sweep.keys().forEach(key -> table.left(key.substring(key.lastIndexOf('.') + 1)));
    sweep.objectives().forEach(figure -> table.right(figure.title().strip()));
    boolean differentRuns =
        sweep.report().cases().stream().mapToInt(each -> each.runs().size()).distinct().count() > 1;
    if (differentRuns) {
      table.right("runs");
    }
    table.left("front").keys(sweep.keys().size());
    for (int i = 0; i < sweep.points().size(); i++) {
      List<Object> cells = new ArrayList<>(sweep.points().get(i).values());
      RunCase each = sweep.report().cases().get(i);
      sweep.objectives().forEach(figure -> cells.add(cell(figure, each.estimate(figure))));
      if (differentRuns) {
        cells.add(each.runs().size());
      }
      cells.add(
          (front[i] ? "*" : "")
              + (each.complete() ? "" : Report.INTERRUPTED)
              + (each.hasFailedJobs() ? Report.JOBS_FAILED : ""));
      table.row(cells.toArray());
    }
    table.print(out);
  }

  private static String cell(Figure figure, Estimate estimate) {
    if (!Double.isFinite(estimate.mean())) {
      return "-";
    }
    String text = figure.format().text(estimate.mean());
    return estimate.halfWidth() > 0
        ? text
            + String.format(java.util.Locale.ROOT, " ±%.1f%%", 100 * estimate.relativeHalfWidth())
        : text;
  }
}
