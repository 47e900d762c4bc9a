package io.tierwise.hadoop.conformance;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the runs of one test class. Pure: what counts as a regression is decided here and
 * nowhere else.
 *
 * <p>A test that passed in every run on stock and in no run of ours is a regression; one that
 * passed in some and not in others, on either side, is flaky. The caller runs both sides a second
 * time when {@link #needsRetry} says so, which is what tells the two apart.
 *
 * @param className full name
 * @param stock runs on stock in order; empty when the side was not run
 * @param ours runs with the plug-ins in order; empty when the side was not run
 */
public record Comparison(
    String className,
    List<ClassRun> stock,
    List<ClassRun> ours,
    List<TestComparison> tests,
    Verdict verdict) {

  /**
   * Compares.
   *
   * @param known tests of this class whose failure has a written cause
   */
  public static Comparison of(
      String className, List<ClassRun> stock, List<ClassRun> ours, KnownCauses known) {
    SortedSet<String> names = new TreeSet<>();
    stock.forEach(run -> names.addAll(run.results().keySet()));
    ours.forEach(run -> names.addAll(run.results().keySet()));
    List<TestComparison> tests =
        names.stream().map(test -> compare(test, stock, ours, known)).toList();
    return new Comparison(className, stock, ours, tests, worst(tests, stock, ours));
  }

  /** Whether a second run of both sides could change the verdict. */
  public boolean needsRetry() {
    return switch (verdict) {
      case REGRESSION, NOTHING_RAN, STOCK_FAILURE, NOT_COMPARED -> true;
      case FLAKY, KNOWN_DIFFERENCE, KNOWN_STOCK_FAILURE, SKIPPED, PASSES -> false;
    };
  }

  /** Whether each run of ours ended by itself and each of its tests passed. */
  public boolean passesWithOurs() {
    return ours.stream()
        .allMatch(
            run ->
                run.end() == ClassRun.End.FINISHED
                    && run.count(Outcome.PASSED) > 0
                    && run.count(Outcome.PASSED) == run.results().size());
  }

  /** How often our code decided, by kind, in all runs of ours. */
  public SortedMap<String, Long> decisions() {
    SortedMap<String, Long> sums = new TreeMap<>();
    ours.forEach(run -> run.decisions().forEach((kind, n) -> sums.merge(kind, n, Long::sum)));
    return sums;
  }

  /** The tests with this verdict. */
  public List<TestComparison> testsWith(Verdict wanted) {
    return tests.stream().filter(test -> test.verdict() == wanted).toList();
  }

  private static TestComparison compare(
      String test, List<ClassRun> stock, List<ClassRun> ours, KnownCauses known) {
    List<Outcome> onStock = stock.stream().map(run -> run.outcomeOf(test)).toList();
    List<Outcome> withOurs = ours.stream().map(run -> run.outcomeOf(test)).toList();
    boolean stockCutShort =
        stock.stream().anyMatch(run -> run.end() != ClassRun.End.FINISHED)
            && onStock.contains(Outcome.MISSING);
    String detail = lastFailure(test, ours);
    if (detail.isEmpty()) {
      detail = lastFailure(test, stock);
    }
    Verdict verdict = judge(onStock, withOurs, known.stockFailures().contains(test), stockCutShort);
    if (verdict == Verdict.REGRESSION && known.differences().contains(test)) {
      verdict = Verdict.KNOWN_DIFFERENCE;
    }
    return new TestComparison(test, onStock, withOurs, verdict, detail);
  }

  private static Verdict judge(
      List<Outcome> stock, List<Outcome> ours, boolean known, boolean stockCutShort) {
    boolean stockPassed = stock.contains(Outcome.PASSED);
    boolean stockAlwaysPassed = stockPassed && all(stock, Outcome.PASSED);
    boolean oursPassed = ours.contains(Outcome.PASSED);
    boolean oursAlwaysPassed = oursPassed && all(ours, Outcome.PASSED);

    if (stock.isEmpty()) {
      return oursAlwaysPassed
          ? Verdict.PASSES
          : oursPassed
              ? Verdict.FLAKY
              : ours.contains(Outcome.FAILED) ? Verdict.NOT_COMPARED : Verdict.SKIPPED;
    }
    if (stockAlwaysPassed) {
      return ours.isEmpty() || oursAlwaysPassed
          ? Verdict.PASSES
          : oursPassed ? Verdict.FLAKY : Verdict.REGRESSION;
    }
    if (stockPassed) {
      return known ? Verdict.KNOWN_STOCK_FAILURE : Verdict.FLAKY;
    }
    if (stock.contains(Outcome.FAILED) || stockCutShort) {
      return known ? Verdict.KNOWN_STOCK_FAILURE : Verdict.STOCK_FAILURE;
    }
    // Stock skipped it, or has no such test: a failure is then ours alone.
    return oursAlwaysPassed
        ? Verdict.PASSES
        : oursPassed
            ? Verdict.FLAKY
            : ours.contains(Outcome.FAILED) ? Verdict.REGRESSION : Verdict.SKIPPED;
  }

  private static Verdict worst(
      List<TestComparison> tests, List<ClassRun> stock, List<ClassRun> ours) {
    List<ClassRun> measure = stock.isEmpty() ? ours : stock;
    boolean ran = measure.stream().anyMatch(run -> run.count(Outcome.PASSED) > 0);
    Verdict worst =
        tests.stream().map(TestComparison::verdict).sorted().findFirst().orElse(Verdict.PASSES);
    return !ran && worst != Verdict.REGRESSION ? Verdict.NOTHING_RAN : worst;
  }

  private static boolean all(List<Outcome> outcomes, Outcome wanted) {
    return outcomes.stream().allMatch(outcome -> outcome == wanted);
  }

  private static String lastFailure(String test, List<ClassRun> runs) {
    String detail = "";
    for (ClassRun run : runs) {
      if (run.outcomeOf(test) == Outcome.FAILED) {
        detail = run.results().get(test).detail();
      }
    }
    return detail;
  }
}
