package io.tierwise.experiments.sweep;

import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.CheckWindow;
import io.tierwise.experiments.run.RunListener;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Runs the points of a sweep: all of them, few by successive halving, or one key's by search. */
public final class SweepRuns {
  private final StoppingRule rule;
  private final int threads;
  private final RunListener listener;
  private final BooleanSupplier stopped;
  private final CheckWindow window;
  private long checkedEvents;

  /**
   * @param rule of the points that run to their end
   * @param window in which invariants are checked; null for never
   */
  public SweepRuns(
      StoppingRule rule,
      int threads,
      RunListener listener,
      BooleanSupplier stopped,
      CheckWindow window) {
    this.rule = rule;
    this.threads = threads;
    this.listener = listener;
    this.stopped = stopped;
    this.window = window;
  }

  /** Events after which the invariants were checked. */
  public long checkedEvents() {
    return checkedEvents;
  }

  private List<RunCase> run(
      List<CaseSpec> cases, StoppingRule step, List<List<RunResult>> earlier) {
    CaseRuns runs =
        new CaseRuns(cases, step, listener, stopped).checking(window).goingOnFrom(earlier);
    List<RunCase> ran = runs.run(threads);
    checkedEvents += runs.checkedEvents();
    return ran;
  }

  /**
   * All points.
   *
   * @param objectives of the front; those in which no points differ are left out
   * @return nothing when it was stopped before a run ended
   */
  public Optional<SweepResult> all(
      List<String> keys, List<Grid.Point> points, List<Figure> objectives) {
    List<RunCase> ran = run(points.stream().map(Grid.Point::spec).toList(), rule, List.of());
    if (ran.isEmpty()) {
      return Optional.empty();
    }
    // Labels are unique: they hold the values of all keys.
    Set<String> labels = ran.stream().map(RunCase::label).collect(Collectors.toSet());
    List<Grid.Point> known =
        points.stream().filter(point -> labels.contains(point.spec().label())).toList();
    Report report = new Report(ran);
    return Optional.of(
        new SweepResult(keys, known, report, SweepResult.telling(objectives, known, report)));
  }

  /**
   * The best point of each workload, with few runs.
   *
   * @param keep share of the points that goes on
   * @return nothing when it was stopped before a run ended
   */
  public Optional<SweepResult> halved(
      List<String> keys, List<Grid.Point> points, double keep, Figure figure) {
    Halving halving = new Halving(points, rule, keep, figure);
    Halving.Outcome outcome = halving.search(this::run);
    if (outcome.ran().isEmpty()) {
      return Optional.empty();
    }
    List<SweepResult.Least> least = new ArrayList<>();
    for (String group : points.stream().map(Grid.Point::group).distinct().toList()) {
      outcome.finalists().stream()
          .filter(i -> points.get(i).group().equals(group))
          .min(Comparator.comparingDouble(halving::value))
          .map(i -> new SweepResult.Least(points.get(i).spec().label(), halving.value(i)))
          .ifPresent(least::add);
    }
    List<Integer> order = outcome.ran().keySet().stream().sorted().toList();
    return Optional.of(
        new SweepResult(
            keys,
            order.stream().map(points::get).toList(),
            new Report(order.stream().map(outcome.ran()::get).toList()),
            List.of(figure),
            order.stream().filter(outcome.finalists()::contains).map(order::indexOf).toList(),
            least));
  }

  /**
   * The best value of one key, with one point after the other.
   *
   * @param points one a value of the key
   * @param evaluationsMax points to try at most
   * @return nothing when it was stopped before a run ended
   */
  public Optional<SweepResult> searched(
      Variation range, List<Grid.Point> points, Figure figure, int evaluationsMax) {
    Map<Integer, RunCase> asked = new TreeMap<>();
    GoldenSearch golden =
        new GoldenSearch(
            BigDecimal.ZERO,
            BigDecimal.valueOf(points.size() - 1),
            BigDecimal.ONE,
            index -> {
              List<CaseSpec> one = List.of(points.get(index.intValue()).spec());
              List<RunCase> ran = run(one, rule, List.of());
              if (!ran.isEmpty()) {
                asked.put(index.intValue(), ran.get(0));
              }
              return ran.isEmpty() ? Double.NaN : ran.get(0).cost(figure);
            });
    int best = golden.search(evaluationsMax).intValue();
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    List<SweepResult.Least> least = new ArrayList<>();
    if (asked.containsKey(best)) {
      String where = range.key() + "=" + range.values().get(best);
      least.add(new SweepResult.Least(where, asked.get(best).cost(figure)));
    }
    List<Grid.Point> tried = asked.keySet().stream().map(points::get).toList();
    List<Integer> contenders = new ArrayList<>();
    for (int i = 0; i < tried.size(); i++) {
      contenders.add(i);
    }
    return Optional.of(
        new SweepResult(
            List.of(range.key()),
            tried,
            new Report(List.copyOf(asked.values())),
            List.of(figure),
            contenders,
            least));
  }
}
