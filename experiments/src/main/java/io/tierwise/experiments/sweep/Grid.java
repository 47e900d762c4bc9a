package io.tierwise.experiments.sweep;

import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** All combinations of what some keys may be; the last key varies fastest. */
public final class Grid {
  static final int POINTS_MAX = 10_000;

  /** Keys that begin so tell workloads apart: only points of one workload are compared. */
  public static final String GROUPING = "workload";

  private final List<Variation> variations;

  public Grid(List<Variation> variations) {
    long points = 1;
    for (Variation variation : variations) {
      points = Math.min(points * variation.values().size(), Integer.MAX_VALUE);
    }
    if (points > POINTS_MAX) {
      throw OperatorException.badInput(
          "the grid has "
              + points
              + " points, at most "
              + POINTS_MAX
              + ": vary less, or use tierwise search");
    }
    this.variations = List.copyOf(variations);
    Set<String> seen = new HashSet<>();
    for (String key : keys()) {
      if (!seen.add(key)) {
        throw OperatorException.badInput("--vary " + key + ": is varied twice");
      }
    }
  }

  /** The grid of keys and values as a user writes them behind an option. */
  public static Grid parse(List<String> variations, String option) {
    return new Grid(variations.stream().map(text -> Variation.parse(text, option)).toList());
  }

  /**
   * One combination.
   *
   * @param values a value a key, in the order of the keys
   * @param group of points that are compared with each other: those of the same workload
   */
  public record Point(List<String> values, String group, CaseSpec spec) {
    public Point {
      values = List.copyOf(values);
    }
  }

  public List<String> keys() {
    return variations.stream().map(Variation::key).toList();
  }

  /** The points, each a whole scenario; the first that makes no scenario is an error. */
  public List<Point> points(ScenarioFiles scenario) {
    List<Point> points = new ArrayList<>();
    add(scenario, new ArrayList<>(), points);
    return points;
  }

  private void add(ScenarioFiles scenario, List<String> values, List<Point> points) {
    int depth = values.size();
    if (depth == variations.size()) {
      points.add(point(scenario, values));
      return;
    }
    Variation variation = variations.get(depth);
    for (String value : variation.values()) {
      values.add(value);
      add(scenario.with(variation.key() + "=" + value, "--vary"), values, points);
      values.remove(depth);
    }
  }

  private Point point(ScenarioFiles scenario, List<String> values) {
    List<String> label = new ArrayList<>();
    List<String> group = new ArrayList<>();
    List<String> names = Variation.shortNames(keys());
    for (int i = 0; i < values.size(); i++) {
      String part = names.get(i) + "=" + values.get(i);
      label.add(part);
      if (variations.get(i).key().startsWith(GROUPING)) {
        group.add(part);
      }
    }
    CaseSpec spec = new CaseSpec(String.join(" ", label), scenario.scenario());
    return new Point(values, String.join(" ", group), spec);
  }

  /**
   * The points with what there is to do, after their workloads were read.
   *
   * @param remark hears what is odd about a workload
   */
  public static List<Point> sized(List<Point> points, int threads, Consumer<String> remark) {
    List<WorkloadSize> sizes =
        WorkloadSize.check(points.stream().map(Point::spec).toList(), threads, remark);
    List<Point> sized = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      Point point = points.get(i);
      sized.add(
          new Point(point.values(), point.group(), point.spec().withWork(sizes.get(i).work())));
    }
    return sized;
  }
}
