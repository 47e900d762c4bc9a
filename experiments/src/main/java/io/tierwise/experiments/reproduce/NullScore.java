package io.tierwise.experiments.reproduce;

import io.tierwise.experiments.reproduce.Comparison.Verdict;
import java.util.List;
import java.util.Locale;

/**
 * How many printed numbers ours reproduces, and how many "no effect" does: a tolerance that lets
 * both pass says little.
 *
 * @param numbers predicted rows of which "no effect" is an answer
 * @param factor by which tolerances are multiplied so that at most a quarter of them passes without
 *     an effect; 1 where that is so by itself; NaN when no factor is small enough
 * @param oursStrict how many of ours pass then
 * @param nullStrict how many pass without an effect then
 */
public record NullScore(
    int numbers, int ours, int withoutEffect, double factor, int oursStrict, int nullStrict) {
  /** "A quarter": one in so many. */
  private static final int PASSING_MAX_DIVISOR = 4;

  /** The scores of some comparisons; what was not run is left out. */
  public static NullScore of(List<Comparison> comparisons) {
    List<Comparison> judged =
        comparisons.stream()
            .filter(each -> each.noEffect() != null && each.ours() != null)
            .filter(each -> each.basis() == Basis.PREDICTED)
            .toList();
    double factor = factor(judged);
    return new NullScore(
        judged.size(),
        (int) judged.stream().filter(each -> each.verdict() == Verdict.REPRODUCES).count(),
        (int) judged.stream().filter(each -> passes(each, each.noEffect(), 1)).count(),
        factor,
        (int) judged.stream().filter(each -> passes(each, each.ours().mean(), factor)).count(),
        (int) judged.stream().filter(each -> passes(each, each.noEffect(), factor)).count());
  }

  private static boolean passes(Comparison row, double value, double factor) {
    return row.tolerance().accepts(row.row().printed(), value, factor);
  }

  private static double factor(List<Comparison> judged) {
    int passingMax = judged.size() / PASSING_MAX_DIVISOR;
    double[] needed =
        judged.stream()
            .mapToDouble(each -> each.tolerance().factorFor(each.row().printed(), each.noEffect()))
            .filter(each -> each <= 1)
            .sorted()
            .toArray();
    if (needed.length <= passingMax) {
      return 1;
    }
    // A little less than what the first one too many needs.
    double factor = needed[passingMax] * (1 - 1e-9);
    return factor > 0 ? factor : Double.NaN;
  }

  /** For people; empty when "no effect" is an answer to nothing. */
  public String text() {
    if (numbers == 0) {
      return "";
    }
    String both =
        String.format(
            Locale.ROOT,
            "of %d that compare, ours reproduces %d and no effect at all %d",
            numbers,
            ours,
            withoutEffect);
    if (Double.isNaN(factor)) {
      return both + ", more than a quarter at any tolerance";
    }
    return factor == 1
        ? both
        : both
            + String.format(
                Locale.ROOT,
                "; at %.2g times the tolerances %d and %d",
                factor,
                oursStrict,
                nullStrict);
  }
}
