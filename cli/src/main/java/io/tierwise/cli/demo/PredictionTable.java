package io.tierwise.cli.demo;

import io.tierwise.cli.bench.BenchRow;
import io.tierwise.cli.demo.DemoPrediction.Rate;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What was measured beside what the simulator says of it. */
final class PredictionTable {
  private static final double MEGABYTE = 1e6;

  private final List<Line> lines;

  private record Line(BenchRow row, Optional<Rate> predicted) {
    /** Predicted by measured, less one. */
    double error() {
      return predicted.orElseThrow().median() / row.readBytesPerSecond() - 1;
    }
  }

  private PredictionTable(List<Line> lines) {
    this.lines = lines;
  }

  /** Predicts every row that a policy of ours decides. */
  static PredictionTable of(DemoPrediction prediction, List<BenchRow> rows) throws IOException {
    List<Line> lines = new ArrayList<>();
    for (BenchRow row : rows) {
      lines.add(new Line(row, prediction.of(row.placement(), row.access())));
    }
    return new PredictionTable(lines);
  }

  /** Adds the rate to each row's columns; null where nothing is predicted. */
  void addTo(List<Map<String, Object>> columns) {
    for (int i = 0; i < columns.size(); i++) {
      Double megabytes =
          lines.get(i).predicted().map(rate -> Math.round(rate.median() / 1e3) / 1e3).orElse(null);
      columns.get(i).put("predicted_read_megabytes_per_second", megabytes);
    }
  }

  void print(PrintWriter out) {
    out.println("The same policies on a simulated twin of this cluster (100 seeds each):");
    out.printf(
        "%-16s %-24s %13s %15s %17s %6s%n",
        "placement", "access", "measured MB/s", "predicted MB/s", "8 runs of 10", "error");
    List<Double> errors = new ArrayList<>();
    for (Line line : lines) {
      line.predicted().ifPresent(rate -> errors.add(printLine(out, line, rate)));
    }
    double mean = errors.stream().mapToDouble(Math::abs).average().orElse(0);
    out.printf(Locale.ROOT, "Mean error without its sign: %.0f%%.%n", 100 * mean);
  }

  private static double printLine(PrintWriter out, Line line, Rate rate) {
    out.printf(
        Locale.ROOT,
        "%-16s %-24s %13.1f %15.1f %8.1f to %5.1f %+5.0f%%%n",
        line.row().placement(),
        line.row().access(),
        line.row().readBytesPerSecond() / MEGABYTE,
        rate.median() / MEGABYTE,
        rate.low() / MEGABYTE,
        rate.high() / MEGABYTE,
        100 * line.error());
    return line.error();
  }
}
