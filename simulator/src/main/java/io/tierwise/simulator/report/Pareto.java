package io.tierwise.simulator.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Those of some cases that no other one beats in everything.
 *
 * <p>Own: figures that differ by less than a billionth of the larger one are equal, and so are all
 * of a chain of such figures: sums of the same numbers in another order differ by that, no two
 * machines do. As a whole chain is equal, no ring of cases can beat each other.
 */
public final class Pareto {
  /** By what share figures may differ that are equal. */
  public static final double TOLERANCE = 1e-9;

  private Pareto() {}

  /**
   * Whether each case is on the front: no other is at least as good in all figures and better in
   * one. Smaller is better. A case that lacks a figure (NaN) is not on the front.
   *
   * @param cases a row a case, a column a figure
   */
  public static boolean[] front(List<double[]> cases) {
    List<int[]> ranks = new ArrayList<>();
    int figures = cases.isEmpty() ? 0 : cases.get(0).length;
    for (int i = 0; i < figures; i++) {
      int figure = i;
      ranks.add(ranks(cases.stream().mapToDouble(one -> one[figure]).toArray()));
    }
    boolean[] front = new boolean[cases.size()];
    for (int i = 0; i < front.length; i++) {
      front[i] = Arrays.stream(cases.get(i)).allMatch(Double::isFinite);
      for (int other = 0; other < front.length && front[i]; other++) {
        front[i] = !dominates(ranks, other, i);
      }
    }
    return front;
  }

  /** Whether two of some values are not equal. */
  public static boolean differ(double[] values) {
    return Arrays.stream(ranks(values)).anyMatch(rank -> rank > 0);
  }

  /** The place of each value among the different ones, from 0; equal values have the same. */
  private static int[] ranks(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int[] ofSorted = new int[sorted.length];
    for (int i = 1; i < sorted.length; i++) {
      ofSorted[i] = ofSorted[i - 1] + (areEqual(sorted[i - 1], sorted[i]) ? 0 : 1);
    }
    return Arrays.stream(values)
        .mapToInt(value -> ofSorted[Arrays.binarySearch(sorted, value)])
        .toArray();
  }

  private static boolean areEqual(double one, double other) {
    double larger = Math.max(Math.abs(one), Math.abs(other));
    boolean isNear = Double.isFinite(larger) && other - one <= TOLERANCE * larger;
    return isNear || Double.compare(one, other) == 0;
  }

  private static boolean dominates(List<int[]> ranks, int winner, int loser) {
    boolean better = false;
    for (int[] rank : ranks) {
      if (rank[winner] > rank[loser]) {
        return false;
      }
      better |= rank[winner] < rank[loser];
    }
    return better;
  }
}
