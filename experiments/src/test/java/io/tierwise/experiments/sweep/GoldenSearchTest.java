package io.tierwise.experiments.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.function.IntToDoubleFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class GoldenSearchTest {
  private int asked;

  private int least(int last, int evaluations, IntToDoubleFunction function) {
    asked = 0;
    GoldenSearch search =
        new GoldenSearch(
            BigDecimal.ZERO,
            BigDecimal.valueOf(last),
            BigDecimal.ONE,
            point -> {
              asked++;
              return function.applyAsDouble(point.intValueExact());
            });
    return search.search(evaluations).intValueExact();
  }

  @Property
  void asksNoMoreOftenThanItMay(
      @ForAll @IntRange(min = 3, max = 900) int last,
      @ForAll @IntRange(max = 900) int least,
      @ForAll @IntRange(min = 4, max = 30) int evaluations) {
    least(last, evaluations, x -> Math.abs(x - least));
    assertThat(asked).isBetween(Math.min(4, last), evaluations);
  }

  /** As fewer nodes than the data needs, where all jobs fail; or more than there are. */
  @Property
  void findsTheLeastBesidePointsThatFail(
      @ForAll @IntRange(min = 3, max = 900) int last,
      @ForAll @IntRange(max = 900) int any,
      @ForAll boolean low) {
    int edge = Math.min(any, last);
    int least =
        least(last, 1000, x -> x < edge == low && x != edge ? Double.NaN : Math.abs(x - edge));
    assertThat(least).isEqualTo(edge);
  }

  @Example
  void failuresEverywhereHaveNoLeast() {
    assertThat(least(100, 24, x -> Double.NaN)).isBetween(0, 100);
    assertThat(asked).isLessThanOrEqualTo(24);
  }
}
