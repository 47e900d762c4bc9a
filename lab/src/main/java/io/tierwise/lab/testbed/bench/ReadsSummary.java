package io.tierwise.lab.testbed.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.lab.dfsio.BenchRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * How {@code auto} did, in one JSON object: its ratio to the best row of stock HDFS, which reads
 * where stock placed, and to the best other order of the same files, by link speed and number of
 * readers, and with each fault. A ratio is that of one repeat; the median counts, with the lowest
 * and the highest of five or more beside it. Without a fault the median share of the bound stands
 * there, too, and that of what the same choices of replicas have in the simulator. Figures that
 * were not measured are null.
 */
public final class ReadsSummary {
  /** Stands in the folder of the results. */
  public static final String FILE = "reads.json";

  /** Own: the lowest and the highest of fewer say little. */
  private static final int REPEATS_FOR_SPREAD = 5;

  private static final Map<Integer, String> SPEEDS = Map.of(1000, "1g", 3000, "3g", 10_000, "10g");
  private static final String OVER_STOCK = "auto_vs_stock_best_";
  private static final String OVER_OTHERS = "auto_vs_best_other_";

  private final Map<String, Object> figures = new LinkedHashMap<>();
  private double leastOverStock = Double.POSITIVE_INFINITY;
  private double leastOverOthers = Double.POSITIVE_INFINITY;
  private double leastOfBound = Double.POSITIVE_INFINITY;

  private ReadsSummary() {}

  public static ReadsSummary of(BenchReport report) {
    ReadsSummary summary = new ReadsSummary();
    List.of("1g", "3g", "10g").forEach(speed -> summary.put(OVER_STOCK + speed, null));
    for (int link : report.linkMegabits()) {
      summary.compare(report, ReadsPhases.USUAL_READERS, link, "");
      for (int readers : List.of(ReadsPhases.FEW_READERS, ReadsPhases.MANY_READERS)) {
        String suffix = "_" + readers + "_readers";
        summary.compare(report, ReadsPhases.nameOf(readers), link, suffix);
      }
    }
    summary.figures.put("auto_vs_stock_best_min", finite(summary.leastOverStock));
    summary.figures.put("auto_vs_best_other_min", finite(summary.leastOverOthers));
    summary.figures.put("share_of_bound_min", finite(summary.leastOfBound));
    for (int link : report.linkMegabits()) {
      summary.toldWrongly(report.throughputs(ReadsPhases.WRONG_LINKS, link), link);
    }
    for (int link : report.linkMegabits()) {
      Map<BenchPhase.Row, List<Double>> rows = report.throughputs(ReadsPhases.REPORTS, link);
      summary.put("auto_vs_without_reports_" + cell(link), overWithoutReports(rows));
      summary.untoldUplinks(report.throughputs(ReadsPhases.UNTOLD_UPLINKS, link), link);
      summary.thirdRack(report, link);
    }
    summary.put("third_rack_writes", thirdRackWrites(report));
    for (BenchFault fault : BenchFault.values()) {
      summary.fault(report.throughputs(ReadsPhases.nameOf(fault), fault.linkMegabits()), fault);
    }
    summary.slowDevice(
        report.throughputs(
            ReadsPhases.nameOf(BenchFault.SLOW_DEVICE), BenchFault.SLOW_DEVICE.linkMegabits()));
    return summary;
  }

  private void compare(BenchReport report, String phase, int link, String suffix) {
    Map<BenchPhase.Row, List<Double>> rows = report.throughputs(phase, link);
    if (rows.isEmpty()) {
      return;
    }
    String cell = cell(link) + suffix;
    double[] stock = overStock(rows);
    double[] others = overOthers(rows);
    put(OVER_STOCK + cell, stock);
    put(OVER_OTHERS + cell, others);
    leastOverStock = Math.min(leastOverStock, median(stock));
    leastOverOthers = Math.min(leastOverOthers, median(others));
    BenchRow auto =
        report.row(phase, link, new BenchPhase.Row(BenchDataSet.HYBRID, ReadsPhases.AUTO));
    Double share = auto.shareOfBound();
    figures.put("share_of_bound_" + cell, share);
    figures.put("share_of_choices_" + cell, auto.shareOfChoices());
    leastOfBound = Math.min(leastOfBound, share == null ? leastOfBound : share);
  }

  /** Against auto that was told the truth, and against the best other order. */
  private void toldWrongly(Map<BenchPhase.Row, List<Double>> rows, int link) {
    for (String access : List.of(ReadsPhases.AUTO_TOLD_A_TENTH, ReadsPhases.AUTO_TOLD_TENFOLD)) {
      if (!rows.isEmpty()) {
        List<Double> wrong = rows.get(new BenchPhase.Row(BenchDataSet.HYBRID, access));
        String cell = access.replace(' ', '_') + "_vs_";
        put(cell + "told_" + cell(link), ratios(wrong, auto(rows)));
        put(cell + "best_other_" + cell(link), ratios(wrong, best(rows, ReadsSummary::isOther)));
      }
    }
  }

  /** Told and not, against stock; and against each other. */
  private void untoldUplinks(Map<BenchPhase.Row, List<Double>> rows, int link) {
    if (!rows.isEmpty()) {
      List<Double> untold =
          rows.get(new BenchPhase.Row(BenchDataSet.HYBRID, ReadsPhases.AUTO_UPLINKS_UNTOLD));
      put("told_uplinks_vs_stock_best_" + cell(link), overStock(rows));
      put("told_uplinks_vs_stocks_order_" + cell(link), overOthers(rows));
      put("untold_uplinks_vs_told_" + cell(link), ratios(untold, auto(rows)));
    }
  }

  /** Auto that hears nothing, and that knows the slow device's speed. */
  private void slowDevice(Map<BenchPhase.Row, List<Double>> rows) {
    List<Double> told =
        rows.get(new BenchPhase.Row(BenchDataSet.HYBRID, ReadsPhases.AUTO_TOLD_DEVICE));
    put("slow_device_vs_without_reports", overWithoutReports(rows));
    put(
        "slow_device_told_ratio",
        told == null ? null : ratios(told, best(rows, ReadsSummary::isOther)));
  }

  /** Files over three racks beside those over two, and what the third costs writers. */
  private void thirdRack(BenchReport report, int link) {
    Map<BenchPhase.Row, List<Double>> rows = report.throughputs(ReadsPhases.THIRD_RACK, link);
    BenchPhase.Row overThree = new BenchPhase.Row(BenchDataSet.HYBRID_OVER_THREE, ReadsPhases.AUTO);
    List<Double> reads = rows.get(overThree);
    String cell = cell(link);
    put("third_rack_reads_" + cell, reads == null ? null : ratios(reads, auto(rows)));
    put(
        "third_rack_auto_vs_stock_best_" + cell,
        reads == null ? null : ratios(reads, best(rows, ReadsSummary::isStocks)));
    put(
        "third_rack_auto_vs_best_other_" + cell,
        reads == null ? null : ratios(reads, best(rows, row -> isOther(row, overThree.data()))));
    figures.put(
        "third_rack_share_of_bound_" + cell,
        reads == null ? null : report.row(ReadsPhases.THIRD_RACK, link, overThree).shareOfBound());
  }

  /** Null when files over three racks were not written. */
  private static double[] thirdRackWrites(BenchReport report) {
    if (report.written(ReadsPhases.THIRD_RACK, BenchDataSet.HYBRID_OVER_THREE).isEmpty()) {
      return null;
    }
    return ratios(
        report.written(ReadsPhases.THIRD_RACK, BenchDataSet.HYBRID_OVER_THREE),
        report.written(ReadsPhases.THIRD_RACK, BenchDataSet.HYBRID));
  }

  private static String cell(int link) {
    return SPEEDS.getOrDefault(link, link + "m");
  }

  private void fault(Map<BenchPhase.Row, List<Double>> rows, BenchFault fault) {
    put(fault.key() + "_ratio", rows.isEmpty() ? null : overOthers(rows));
    put(fault.key() + "_vs_stock_best", rows.isEmpty() ? null : overStock(rows));
  }

  /** Against the best of what stock placed and stock read. */
  static double[] overStock(Map<BenchPhase.Row, List<Double>> rows) {
    return ratios(auto(rows), best(rows, ReadsSummary::isStocks));
  }

  /** Against the best of the other orders of the same files, stock's among them. */
  static double[] overOthers(Map<BenchPhase.Row, List<Double>> rows) {
    return ratios(auto(rows), best(rows, ReadsSummary::isOther));
  }

  private static boolean isStocks(BenchPhase.Row row) {
    return row.data().name().startsWith("stock");
  }

  /** Null where it was not measured. */
  private static double[] overWithoutReports(Map<BenchPhase.Row, List<Double>> rows) {
    BenchPhase.Row without =
        new BenchPhase.Row(BenchDataSet.HYBRID, ReadsPhases.AUTO_WITHOUT_REPORTS);
    List<Double> silent = rows.get(without);
    return silent == null ? null : ratios(auto(rows), silent);
  }

  private static boolean isOther(BenchPhase.Row row) {
    return isOther(row, BenchDataSet.HYBRID);
  }

  private static boolean isOther(BenchPhase.Row row, BenchDataSet data) {
    return row.data().equals(data) && !row.access().startsWith(ReadsPhases.AUTO);
  }

  private static List<Double> auto(Map<BenchPhase.Row, List<Double>> rows) {
    return rows.get(new BenchPhase.Row(BenchDataSet.HYBRID, ReadsPhases.AUTO));
  }

  private static Double finite(double least) {
    return Double.isInfinite(least) ? null : rounded(least);
  }

  private void put(String name, double[] ratios) {
    figures.put(name, ratios == null ? null : rounded(median(ratios)));
    if (ratios != null && ratios.length >= REPEATS_FOR_SPREAD) {
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

  /** By name; null where something was not measured. */
  Map<String, Object> figures() {
    return Collections.unmodifiableMap(figures);
  }

  void write(Path results) throws IOException {
    Files.writeString(results.resolve(FILE), new ObjectMapper().writeValueAsString(figures) + "\n");
  }
}
