package io.tierwise.experiments.sweep;

import io.tierwise.core.message.Nearest;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.simulator.report.Estimate;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.Pareto;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.ScatterChart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The result of a sweep: its points by their cost, and the Pareto front of each workload.
 *
 * @param keys what was varied
 * @param points in the order of the grid; as many as the cases of the report
 * @param objectives figures of which less is better
 * @param contenders indexes of the points that may be on a front: those that ran often enough
 * @param least where the figure that was to be small is least, one a workload; none of a grid
 */
public record SweepResult(
    List<String> keys,
    List<Grid.Point> points,
    Report report,
    List<Figure> objectives,
    List<Integer> contenders,
    List<Least> least) {
  private static final int NAMED_MAX = 5;

  private static final List<String> OBJECTIVES =
      List.of(
          "makespan_seconds",
          "energy_joules",
          "hardware_dollars",
          "storage_dollars_per_gigabyte",
          "loss_risk_a_day");

  /**
   * The best value of the figure that was to be small.
   *
   * @param where the point, as people name it
   * @param value infinite when no point finished all its jobs
   */
  public record Least(String where, double value) {
    /** For people. */
    public String text(String figure) {
      return Double.isFinite(value)
          ? "least " + figure + " at " + where
          : "no point finished all its jobs, so that none has the least " + figure;
    }
  }

  /** A table in which all points ran often enough. */
  SweepResult(List<String> keys, List<Grid.Point> points, Report report, List<Figure> objectives) {
    this(
        keys,
        points,
        report,
        objectives,
        IntStream.range(0, points.size()).boxed().toList(),
        List.of());
  }

  /** The objectives of which points of one group differ; all of them when they differ in none. */
  static List<Figure> telling(List<Figure> objectives, List<Grid.Point> points, Report report) {
    Map<String, List<RunCase>> groups = new LinkedHashMap<>();
    for (int i = 0; i < points.size(); i++) {
      groups
          .computeIfAbsent(points.get(i).group(), group -> new ArrayList<>())
          .add(report.cases().get(i));
    }
    List<Figure> telling =
        objectives.stream()
            .filter(figure -> groups.values().stream().anyMatch(group -> differ(group, figure)))
            .toList();
    return telling.isEmpty() ? objectives : telling;
  }

  private static boolean differ(List<RunCase> group, Figure figure) {
    return Pareto.differ(
        group.stream().mapToDouble(each -> each.estimate(figure).mean()).toArray());
  }

  /** Whether each case is on the front of its group. */
  public boolean[] front() {
    boolean[] front = new boolean[points.size()];
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int i : contenders) {
      groups.computeIfAbsent(points.get(i).group(), group -> new ArrayList<>()).add(i);
    }
    for (List<Integer> group : groups.values()) {
      boolean[] best = Pareto.front(group.stream().map(this::costs).toList());
      for (int i = 0; i < best.length; i++) {
        front[group.get(i)] = best[i];
      }
    }
    return front;
  }

  private double[] costs(int index) {
    return objectives.stream()
        .mapToDouble(figure -> report.cases().get(index).cost(figure))
        .toArray();
  }

  /** The report's JSON with each case's values and whether it is on the front. */
  @SuppressWarnings("unchecked")
  public Map<String, Object> json() {
    Map<String, Object> json = report.json();
    boolean[] front = front();
    List<Object> cases = (List<Object>) json.get("cases");
    for (int i = 0; i < cases.size(); i++) {
      Map<String, Object> item = (Map<String, Object>) cases.get(i);
      Map<String, String> values = new LinkedHashMap<>();
      for (int key = 0; key < keys.size(); key++) {
        values.put(keys.get(key), points.get(i).values().get(key));
      }
      item.put("values", values);
      item.put("on_front", front[i]);
    }
    json.put("objectives", objectives.stream().map(Figure::name).toList());
    return json;
  }

  /** The points for people, with the front of each workload marked. */
  public Table table() {
    boolean[] front = front();
    Table table = new Table();
    Variation.shortNames(keys()).forEach(name -> table.text(name));
    objectives().forEach(figure -> table.number(figure.title().strip()));
    boolean differentRuns =
        report().cases().stream().mapToInt(each -> each.runs().size()).distinct().count() > 1;
    if (differentRuns) {
      table.number("runs");
    }
    table.text("front").keys(keys().size());
    for (int i = 0; i < points().size(); i++) {
      List<Object> cells = new ArrayList<>(points().get(i).values());
      RunCase each = report().cases().get(i);
      objectives().forEach(figure -> cells.add(cell(figure, each.estimate(figure))));
      if (differentRuns) {
        cells.add(each.runs().size());
      }
      cells.add(
          (front[i] ? "*" : "")
              + (each.complete() ? "" : Report.INTERRUPTED)
              + (each.hasFailedJobs() ? Report.JOBS_FAILED : ""));
      table.row(cells.toArray());
    }
    return table;
  }

  private static String cell(Figure figure, Estimate estimate) {
    if (!Double.isFinite(estimate.mean())) {
      return "-";
    }
    String text = figure.format().text(estimate.mean());
    return estimate.halfWidth() > 0
        ? text + String.format(Locale.ROOT, " ±%.1f%%", 100 * estimate.relativeHalfWidth())
        : text;
  }

  /** The values that are not the same for all of its group. */
  private String shortLabel(Grid.Point point) {
    List<String> parts = new ArrayList<>();
    for (int key = 0; key < keys.size(); key++) {
      if (!keys.get(key).startsWith(Grid.GROUPING)) {
        parts.add(point.values().get(key));
      }
    }
    return String.join(", ", parts);
  }

  /** The first objective against each other one, a chart a group of points. */
  public Map<String, String> charts() {
    Map<String, String> charts = new LinkedHashMap<>();
    boolean[] front = front();
    List<String> groups = points.stream().map(Grid.Point::group).distinct().toList();
    for (int g = 0; g < groups.size(); g++) {
      for (Figure other : objectives.subList(Math.min(1, objectives.size()), objectives.size())) {
        List<ScatterChart.Point> dots = new ArrayList<>();
        for (int i = 0; i < points.size(); i++) {
          if (points.get(i).group().equals(groups.get(g))) {
            RunCase each = report.cases().get(i);
            double x = each.estimate(other).mean();
            double y = each.estimate(objectives.get(0)).mean();
            dots.add(new ScatterChart.Point(shortLabel(points.get(i)), x, y, front[i]));
          }
        }
        String file = "pareto-" + other.name() + (groups.size() > 1 ? "-" + (g + 1) : "") + ".svg";
        String title = groups.get(g).isEmpty() ? "Pareto front" : "Pareto front: " + groups.get(g);
        charts.put(file, ScatterChart.svg(title, other, objectives.get(0), dots));
      }
    }
    return charts;
  }

  /** The figures of those names; where none is named, time, energy, money and risk. */
  public static List<Figure> objectives(List<String> names, String option) {
    List<String> wanted = names.isEmpty() ? OBJECTIVES : names;
    return wanted.stream().map(name -> figure(name, option)).toList();
  }

  /**
   * The figure of that name.
   *
   * @throws OperatorException when there is none; names those that may have been meant
   */
  public static Figure figure(String name, String option) {
    try {
      return Figure.named(name.strip());
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(option + " " + name + " is no figure" + hint(name.strip()));
    }
  }

  /** Those that contain the word or are nearly it; else the first ones. There are some forty. */
  private static String hint(String given) {
    List<String> names = Figure.all(List.of()).stream().map(Figure::name).toList();
    List<String> near = names.stream().filter(name -> name.contains(given)).toList();
    if (near.isEmpty()) {
      near = Nearest.to(given, names).stream().toList();
    }
    String rest = "the header of the results.csv that --out writes names all";
    return near.isEmpty() || near.size() > NAMED_MAX
        ? "; known: " + String.join(", ", names.subList(0, NAMED_MAX)) + " and more; " + rest
        : "; did you mean " + String.join(" or ", near) + "? " + rest;
  }
}
