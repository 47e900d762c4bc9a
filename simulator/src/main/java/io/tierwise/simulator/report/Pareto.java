package io.tierwise.simulator.report;

import java.util.List;

/** Those of some cases that no other one beats in everything. */
public final class Pareto {
  private Pareto() {}

  /**
   * Whether each case is on the front: no other is at least as good in all figures and better in
   * one. Smaller is better. A case that lacks a figure (NaN) is not on the front.
   *
   * @param cases a row a case, a column a figure
   */
  public static boolean[] front(List<double[]> cases) {
    boolean[] front = new boolean[cases.size()];
    for (int i = 0; i < front.length; i++) {
      double[] one = cases.get(i);
      boolean whole = true;
      for (double value : one) {
        whole &= Double.isFinite(value);
      }
      front[i] = whole && cases.stream().noneMatch(other -> dominates(other, one));
    }
    return front;
  }

  private static boolean dominates(double[] winner, double[] loser) {
    boolean better = false;
    for (int i = 0; i < winner.length; i++) {
      if (!(winner[i] <= loser[i])) {
        return false;
      }
      better |= winner[i] < loser[i];
    }
    return better;
  }
}
