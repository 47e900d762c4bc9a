package io.tierwise.simulator.report;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.BarChart.Bar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report's charts, as SVG. */
public final class Charts {
  private static final String BYTES_PER_SECOND = "bytes per second";

  private final Report report;

  private Charts(Report report) {
    this.report = report;
  }

  /** All charts: file name (without folder) to SVG. A chart that would be empty is left out. */
  public static Map<String, String> of(Report report) {
    return new Charts(report).all();
  }

  private Map<String, String> all() {
    Map<String, String> charts = new LinkedHashMap<>();
    bars(charts, "makespan", "Makespan", "makespan_seconds", "seconds", 1);
    bars(charts, "job-time", "Mean job time", "job_mean_seconds", "seconds", 1);
    bars(charts, "read-rate", "Read rate of tasks", "read_bytes_per_second", "MB/s", 1e6);
    bars(charts, "write-rate", "Write rate of tasks", "write_bytes_per_second", "MB/s", 1e6);
    bars(charts, "network", "Bytes between nodes", "network_bytes", "GB", 1e9);
    bars(charts, "energy", "Energy", "energy_joules", "kJ", 1e3);
    bars(
        charts,
        "storage-cost",
        "Price of a stored gigabyte",
        "storage_dollars_per_gigabyte",
        "US dollars",
        1);
    List<String> tiers = report.cases().get(0).tierNames();
    List<String> tierFigures = new ArrayList<>();
    tiers.forEach(tier -> tierFigures.add("read_share_of_tier_" + tier));
    tierFigures.add("read_share_cached");
    List<String> tierTitles = new ArrayList<>(tiers);
    tierTitles.add("page caches");
    parts(charts, "reads-by-tier", "Reads by tier", tierTitles, tierFigures);
    parts(
        charts,
        "reads-by-distance",
        "Reads by distance",
        List.of("same node", "same rack", "other racks"),
        List.of("read_share_local", "read_share_rack", "read_share_remote"));
    parts(
        charts,
        "writes-by-tier",
        "Replicas written by tier",
        tiers,
        tiers.stream().map(tier -> "write_share_of_tier_" + tier).toList());
    series(charts);
    return charts;
  }

  private void bars(
      Map<String, String> charts,
      String file,
      String title,
      String figureName,
      String axis,
      double unit) {
    Figure figure = Figure.named(figureName);
    List<Bar> bars = new ArrayList<>();
    boolean tells = false;
    for (RunCase each : report.cases()) {
      Estimate estimate = each.estimate(figure);
      tells |= estimate.mean() > 0;
      String text = Double.isFinite(estimate.mean()) ? figure.format().text(estimate.mean()) : "-";
      bars.add(
          new Bar(Report.title(each), new double[] {estimate.mean()}, estimate.halfWidth(), text));
    }
    if (tells) {
      String caption =
          axis + (report.cases().get(0).runs().size() > 1 ? "; line: 95% interval" : "");
      charts.put(file + ".svg", BarChart.svg(title, List.of(), bars, caption, unit));
    }
  }

  private void parts(
      Map<String, String> charts,
      String file,
      String title,
      List<String> names,
      List<String> figureNames) {
    Map<String, Figure> known = new LinkedHashMap<>();
    report.figures().forEach(figure -> known.put(figure.name(), figure));
    List<Figure> figures = figureNames.stream().map(known::get).toList();
    if (figures.contains(null)) {
      return;
    }
    List<Bar> bars = new ArrayList<>();
    double total = 0;
    for (RunCase each : report.cases()) {
      double[] shares = figures.stream().mapToDouble(f -> each.estimate(f).mean()).toArray();
      Bar bar = new Bar(Report.title(each), shares, Double.NaN, "");
      total += bar.length();
      bars.add(bar);
    }
    if (total > 0) {
      charts.put(file + ".svg", BarChart.svg(title, names, bars, "percent of the bytes", 0.01));
    }
  }

  /** A chart a series, a line a case: of each case's first run. */
  private void series(Map<String, String> charts) {
    for (RunResult.Series series : report.cases().get(0).runs().get(0).series()) {
      List<LineChart.Line> lines = new ArrayList<>();
      for (RunCase each : report.cases()) {
        for (RunResult.Series other : each.runs().get(0).series()) {
          if (other.name().equals(series.name())) {
            double[] values =
                Arrays.stream(other.values()).map(value -> value / unitOf(series)).toArray();
            lines.add(new LineChart.Line(Report.title(each), other.intervalSeconds(), values));
          }
        }
      }
      String file = "time-" + series.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
      charts.put(file + ".svg", LineChart.svg(series.name(), axisOf(series), lines));
    }
  }

  private static double unitOf(RunResult.Series series) {
    return series.unit().equals(BYTES_PER_SECOND) ? 1e6 : 1;
  }

  private static String axisOf(RunResult.Series series) {
    return series.unit().equals(BYTES_PER_SECOND) ? "MB/s" : series.unit();
  }
}
