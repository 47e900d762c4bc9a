package io.tierwise.experiments.sweep;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Looks for the smallest value of a function of one number by golden section: each step keeps the
 * part of the interval that holds the smaller of two inner points.
 *
 * <p>Source: Kiefer, Sequential Minimax Search for a Maximum (1953). Finds the minimum of a
 * function that first falls, then rises; of another one, a point that its neighbours do not beat.
 * Deviation: points are rounded to multiples of a step and each is asked for once.
 */
public final class GoldenSearch {
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private final BigDecimal from;
  private final BigDecimal to;
  private final BigDecimal step;
  private final ToDoubleFunction<BigDecimal> function;
  private final TreeMap<BigDecimal, Double> known = new TreeMap<>();

  public GoldenSearch(
      BigDecimal from, BigDecimal to, BigDecimal step, ToDoubleFunction<BigDecimal> function) {
    this.from = from;
    this.to = to;
    this.step = step;
    this.function = function;
  }

  /**
   * Searches.
   *
   * @param evaluationsMax how often the function may be asked; at least 4
   * @return the best point asked for
   */
  public BigDecimal search(int evaluationsMax) {
    double low = 0;
    double high = to.subtract(from).divide(step, 0, RoundingMode.DOWN).doubleValue();
    at(low);
    at(high);
    while (high - low > 2 && known.size() + 1 < evaluationsMax) {
      double left = Math.rint(high - GOLDEN * (high - low));
      double right = Math.max(left + 1, Math.rint(low + GOLDEN * (high - low)));
      boolean bothFail = Math.min(at(left), at(right)) == Double.POSITIVE_INFINITY;
      // Where both fail the end that does not says where to look.
      if (bothFail ? at(low) <= at(high) : at(left) <= at(right)) {
        high = right;
      } else {
        low = left;
      }
    }
    if (high - low > 1 && known.size() < evaluationsMax) {
      at(low + 1);
    }
    return known.entrySet().stream()
        .min((a, b) -> Double.compare(a.getValue(), b.getValue()))
        .orElseThrow()
        .getKey();
  }

  private double at(double index) {
    BigDecimal point = from.add(step.multiply(BigDecimal.valueOf((long) index)));
    Double value = known.get(point);
    if (value == null) {
      double asked = function.applyAsDouble(point);
      value = Double.isNaN(asked) ? Double.POSITIVE_INFINITY : asked;
      known.put(point, value);
    }
    return value;
  }
}
