package io.tierwise.cli.testbed.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How {@code auto} did, in one JSON object: its ratio to the best row of stock HDFS, which reads
 * where stock placed, and to the best other order of the same files, by link speed. A ratio is that
 * of one repeat; the median counts, with the lowest and the highest beside it. What was not
 * measured is null.
 */
public final class ReadsSummary {
  /** Stands in the folder of the results. */
  public static final String FILE = "reads.json";

  private static final Map<Integer, String> SPEEDS = Map.of(1000, "1g", 3000, "3g", 10_000, "10g");
  private static final String AUTO = "auto";

  private final Map<String, Object> figures = new LinkedHashMap<>();

  private ReadsSummary() {}

  static ReadsSummary of(BenchReport report) {
    ReadsSummary summary = new ReadsSummary();
    List.of("1g", "3g", "10g").forEach(speed -> summary.put("auto_vs_stock_best_" + speed, null));
    double overOthers = Double.POSITIVE_INFINITY;
    for (int link : report.linkMegabits()) {
      Map<BenchPhase.Row, List<Double>> rows = report.throughputs(link);
      List<Double> auto = rows.get(new BenchPhase.Row(BenchDataSet.HYBRID, AUTO));
      String speed = SPEEDS.getOrDefault(link, link + "m");
      summary.put(
          "auto_vs_stock_best_" + speed,
          ratios(auto, best(rows, row -> row.data().name().startsWith("stock"))));
      double[] others =
          ratios(
              auto,
              best(
                  rows,
                  row -> row.data().equals(BenchDataSet.HYBRID) && !row.access().equals(AUTO)));
      summary.put("auto_vs_best_other_" + speed, others);
      overOthers = Math.min(overOthers, median(others));
    }
    summary.figures.put("auto_vs_best_other_min", rounded(overOthers));
    return summary;
  }

  private void put(String name, double[] ratios) {
    figures.put(name, ratios == null ? null : rounded(median(ratios)));
    if (ratios != null) {
      figures.put(name + "_low", rounded(ratios[0]));
      figures.put(name + "_high", rounded(ratios[ratios.length - 1]));
    }
  }

  /** Of the rows the one with the highest median. */
  static List<Double> best(
      Map<BenchPhase.Row, List<Double>> rows, Predicate<BenchPhase.Row> which) {
    return rows.entrySet().stream()
        .filter(row -> which.test(row.getKey()))
        .map(Map.Entry::getValue)
        .reduce((one, other) -> middle(one) >= middle(other) ? one : other)
        .orElseThrow();
  }

  /** Repeat by repeat, from the lowest to the highest. */
  static double[] ratios(List<Double> ours, List<Double> theirs) {
    double[] ratios = new double[Math.min(ours.size(), theirs.size())];
    for (int repeat = 0; repeat < ratios.length; repeat++) {
      ratios[repeat] = ours.get(repeat) / theirs.get(repeat);
    }
    Arrays.sort(ratios);
    return ratios;
  }

  private static double middle(List<Double> values) {
    return median(values.stream().mapToDouble(Double::doubleValue).sorted().toArray());
  }

  static double median(double[] sorted) {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }

  void write(Path results) throws IOException {
    Files.writeString(results.resolve(FILE), new ObjectMapper().writeValueAsString(figures) + "\n");
  }
}
