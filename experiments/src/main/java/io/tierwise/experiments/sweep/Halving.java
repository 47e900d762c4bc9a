package io.tierwise.experiments.sweep;

import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the best of many points without running all of them often: few seeds of each first, the
 * best share of them goes on to more seeds, and so on; the last ones run by the stopping rule.
 *
 * <p>Source: Karnin, Koren, Somekh, Almost Optimal Exploration in Multi-Armed Bandits (2013),
 * sequential halving. Deviation: all points meet the same seeds, and those that go on keep the runs
 * that they have; points are compared within their group only. Own: two seeds at first.
 */
public final class Halving {
  public static final int SEEDS_FIRST = 2;

  private final List<Grid.Point> points;
  private final StoppingRule rule;
  private final double keep;
  private final Figure figure;
  private final Map<Integer, RunCase> ran = new HashMap<>();

  /** Runs cases, some of which have runs already. */
  @FunctionalInterface
  public interface Runs {
    /**
     * @return the cases that ran at least once, by label; fewer than asked for when it was stopped
     */
    List<RunCase> run(List<CaseSpec> cases, StoppingRule rule, List<List<RunResult>> earlier);
  }

  /**
   * The result.
   *
   * @param ran by index of the point
   * @param finalists indexes of the points that ran by the stopping rule; of a search that was
   *     stopped, those of its last round that ran at all
   */
  public record Outcome(Map<Integer, RunCase> ran, List<Integer> finalists) {}

  /**
   * @param rule of the last ones; allows at least two seeds
   * @param keep share of a group's points that goes on, above 0 and below 1
   */
  public Halving(List<Grid.Point> points, StoppingRule rule, double keep, Figure figure) {
    this.points = points;
    this.rule = rule;
    this.keep = keep;
    this.figure = figure;
  }

  /**
   * Refuses a rule that leaves no second round.
   *
   * @throws OperatorException naming the options to change
   */
  public static void requireRounds(StoppingRule rule) {
    if (rule.countMax() <= SEEDS_FIRST) {
      throw OperatorException.badInput(
          "halving needs --seeds "
              + (SEEDS_FIRST + 1)
              + " or more, or --precision: with fewer there is nothing to save");
    }
  }

  public Outcome search(Runs runs) {
    List<Integer> alive = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      alive.add(i);
    }
    int seeds = SEEDS_FIRST;
    while (true) {
      long groups = alive.stream().map(i -> points.get(i).group()).distinct().count();
      boolean last = seeds >= rule.countMax() || alive.size() == groups;
      if (!step(alive, last ? rule : StoppingRule.exactly(seeds), runs) || last) {
        // A point without a run has no result to compare.
        return new Outcome(ran, alive.stream().filter(ran::containsKey).toList());
      }
      alive = best(alive);
      seeds = (int) Math.min(rule.countMax(), Math.ceil(seeds / keep));
    }
  }

  /** Runs the points; false when it was stopped. */
  private boolean step(List<Integer> alive, StoppingRule step, Runs runs) {
    List<CaseSpec> cases = alive.stream().map(i -> points.get(i).spec()).toList();
    List<List<RunResult>> earlier =
        alive.stream()
            .map(i -> ran.containsKey(i) ? ran.get(i).runs() : List.<RunResult>of())
            .toList();
    Map<String, RunCase> byLabel = new HashMap<>();
    runs.run(cases, step, earlier).forEach(each -> byLabel.put(each.label(), each));
    boolean complete = true;
    for (int i : alive) {
      RunCase result = byLabel.get(points.get(i).spec().label());
      complete &= result != null && result.complete() && result.runs().size() >= step.countMin();
      if (result != null) {
        ran.put(i, result);
      }
    }
    return complete;
  }

  private List<Integer> best(List<Integer> alive) {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int i : alive) {
      groups.computeIfAbsent(points.get(i).group(), group -> new ArrayList<>()).add(i);
    }
    List<Integer> best = new ArrayList<>();
    for (List<Integer> group : groups.values()) {
      group.sort(Comparator.comparingDouble(this::value));
      best.addAll(group.subList(0, (int) Math.ceil(keep * group.size())));
    }
    best.sort(null);
    return best;
  }

  /** A point whose figure is not known, or whose jobs failed, is the worst. */
  public double value(int index) {
    return ran.get(index).cost(figure);
  }
}
