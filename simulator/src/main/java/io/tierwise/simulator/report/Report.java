package io.tierwise.simulator.report;

import io.tierwise.core.message.Csv;
import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Table;
import io.tierwise.simulator.measure.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Some cases side by side, as rows of text, as CSV and as a value for JSON. The first case is what
 * the others are compared with.
 *
 * @param cases at least one
 * @param sharesOfBound what each case's reads had of their bound, in the order of the cases; empty
 *     when nobody asked
 */
public record Report(List<RunCase> cases, List<OptionalDouble> sharesOfBound) {
  private static final int LABEL_MAX = 40;

  /** Own: 216 replicas take 0.3 s (docs/decisions/0093-share-of-the-bound.md). */
  private static final int QUICK_REPLICAS_MAX = 250;

  private static final String READ_RATE = "read_bytes_per_second";

  /** In a case's label: some of its runs were interrupted. */
  public static final String INTERRUPTED = " (interrupted)";

  /** Beside a case: some of its jobs failed. */
  public static final String JOBS_FAILED = " (jobs failed)";

  public Report {
    cases = List.copyOf(cases);
    sharesOfBound = List.copyOf(sharesOfBound);
    if (cases.isEmpty()) {
      throw new IllegalArgumentException("a report needs a case");
    }
  }

  public Report(List<RunCase> cases) {
    this(cases, List.of());
  }

  /**
   * The same with what the first run of each case had of the bound of its reads.
   *
   * @param replicasMax as {@link RunCase#shareOfBound}
   */
  public Report withBounds(int replicasMax) {
    return new Report(cases, cases.stream().map(ran -> ran.shareOfBound(replicasMax)).toList());
  }

  /** The same where that takes no time to speak of; of other reads nothing is said. */
  public Report withQuickBounds() {
    Report bounded = withBounds(QUICK_REPLICAS_MAX);
    return bounded.sharesOfBound().stream().anyMatch(OptionalDouble::isPresent) ? bounded : this;
  }

  /** The figures of all cases. Cases with other tiers than the first one are reported without. */
  public List<Figure> figures() {
    List<String> tiers = cases.get(0).tierNames();
    boolean same = cases.stream().allMatch(each -> each.tierNames().equals(tiers));
    return Figure.all(same ? tiers : List.of());
  }

  /** The label of a case, marked when it was interrupted. */
  public static String title(RunCase column) {
    return column.label() + (column.complete() ? "" : INTERRUPTED);
  }

  /** A row a figure that any case has: title, then a cell a case. */
  public List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (Figure figure : figures()) {
      List<Estimate> estimates = cases.stream().map(each -> each.estimate(figure)).toList();
      boolean tells = estimates.stream().anyMatch(e -> Double.isFinite(e.mean()) && e.mean() != 0);
      if (tells) {
        List<String> row = new ArrayList<>();
        row.add(figure.title());
        for (int i = 0; i < estimates.size(); i++) {
          boolean compared = i > 0 && areComparable(cases.get(0), cases.get(i));
          row.add(cell(figure, estimates.get(i), compared ? estimates.get(0) : null));
        }
        rows.add(row);
      }
      if (figure.name().equals(READ_RATE) && !sharesOfBound.isEmpty()) {
        List<String> row = new ArrayList<>(List.of("  share of the bound"));
        sharesOfBound.forEach(
            share -> row.add(share.isPresent() ? Format.SHARE.text(share.getAsDouble()) : "-"));
        rows.add(row);
      }
    }
    return rows;
  }

  /** The rows, a column a case; long labels are cut. */
  public Table table() {
    Table table = new Table().text("").keys(1);
    cases.forEach(each -> table.number(Fold.cut(title(each), LABEL_MAX)));
    rows().forEach(row -> table.row(row.toArray()));
    return table;
  }

  /** Figures of a part of the jobs, or of other jobs, do not compare. */
  private static boolean areComparable(RunCase first, RunCase other) {
    return first.runsTheJobsOf(other) && isWhole(first) && isWhole(other);
  }

  private static boolean isWhole(RunCase each) {
    return each.complete() && !each.hasFailedJobs();
  }

  private static String cell(Figure figure, Estimate estimate, Estimate first) {
    if (!Double.isFinite(estimate.mean())) {
      return "-";
    }
    String text = figure.format().text(estimate.mean());
    if (estimate.halfWidth() > 0) {
      text +=
          figure.format() == Format.SHARE
              ? String.format(Locale.ROOT, " ±%.1f", 100 * estimate.halfWidth())
              : String.format(Locale.ROOT, " ±%.1f%%", 100 * estimate.relativeHalfWidth());
    }
    boolean compared = figure.comparable() && first != null && Math.abs(first.mean()) > 0;
    return compared
        ? String.format(
            Locale.ROOT, "%s (%+.0f%%)", text, 100 * (estimate.mean() / first.mean() - 1))
        : text;
  }

  /** A line a run, with a header line. */
  public String csv() {
    List<Figure> figures = figures();
    StringBuilder csv = new StringBuilder("case,placement,access,seed,complete");
    figures.forEach(figure -> csv.append(',').append(figure.name()));
    csv.append(",events,log_hash\n");
    for (RunCase each : cases) {
      for (RunResult run : each.runs()) {
        csv.append(
            Csv.line(
                List.of(each.label(), run.placement(), run.access(), run.seed(), run.complete())));
        for (Figure figure : figures) {
          double value = figure.measure().of(run, each.scenario());
          csv.append(',').append(Double.isFinite(value) ? number(value) : "");
        }
        csv.append(',').append(run.engine().events()).append(',');
        csv.append(Long.toHexString(run.engine().logHash())).append('\n');
      }
    }
    return csv.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Maps, lists, numbers and texts; keys in snake case; a figure that is not there is null. */
  public Map<String, Object> json() {
    List<Figure> figures = figures();
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      RunCase each = cases.get(i);
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("label", each.label());
      item.put("scenario", each.scenario().name());
      item.put("placement", each.runs().get(0).placement());
      item.put("access", each.runs().get(0).access());
      item.put("complete", each.complete());
      item.put("tiers", each.tierNames());
      Map<String, Object> estimates = new LinkedHashMap<>();
      figures.forEach(figure -> estimates.put(figure.name(), json(each.estimate(figure))));
      item.put("figures", estimates);
      if (!sharesOfBound.isEmpty()) {
        item.put("share_of_bound", finite(sharesOfBound.get(i).orElse(Double.NaN)));
      }
      item.put("runs", each.runs().stream().map(run -> json(run, each, figures)).toList());
      list.add(item);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("cases", list);
    return json;
  }

  private static Map<String, Object> json(Estimate estimate) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("mean", finite(estimate.mean()));
    json.put("half_width_95", finite(estimate.halfWidth()));
    json.put("count", estimate.count());
    return json;
  }

  private static Map<String, Object> json(RunResult run, RunCase each, List<Figure> figures) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seed", run.seed());
    json.put("complete", run.complete());
    for (Figure figure : figures) {
      json.put(figure.name(), finite(figure.measure().of(run, each.scenario())));
    }
    json.put("device_classes", byClass(run.cost()));
    json.put("events", run.engine().events());
    json.put("flows", run.engine().flows());
    json.put("wall_seconds", finite(run.engine().wallSeconds()));
    json.put("log_hash", Long.toHexString(run.engine().logHash()));
    List<Object> series = new ArrayList<>();
    for (RunResult.Series line : run.series()) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("name", line.name());
      item.put("unit", line.unit());
      item.put("interval_seconds", finite(line.intervalSeconds()));
      List<Object> values = new ArrayList<>();
      for (double value : line.values()) {
        values.add(finite(value));
      }
      item.put("values", values);
      series.add(item);
    }
    json.put("series", series);
    return json;
  }

  private static Map<String, Object> byClass(RunResult.Cost cost) {
    Map<String, Object> classes = new LinkedHashMap<>();
    for (int i = 0; i < cost.deviceClasses().size(); i++) {
      Map<String, Object> item = new LinkedHashMap<>();
      item.put("joules", finite(cost.deviceJoulesByClass()[i]));
      item.put("written_bytes", cost.writtenBytesByClass()[i]);
      classes.put(cost.deviceClasses().get(i), item);
    }
    return classes;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
