package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * The same model in the plainest way, sharing no line with the network: floating-point time, all
 * rates divided afresh by progressive filling after each event, every remaining byte brought up to
 * date at each event. Source: Bertsekas and Gallager, Data Networks, 6.5.2.
 */
final class TextbookFlows {
  private final Trial trial;
  private final double[] capacity;
  private final boolean[] isFixed;
  private final double[] left;
  private final double[] rate;
  private final boolean[] isLive;

  private TextbookFlows(Trial trial) {
    this.trial = trial;
    capacity = new double[trial.resources().size()];
    isFixed = new boolean[capacity.length];
    left = trial.flows().stream().mapToDouble(Trial.Flow::bytes).toArray();
    rate = new double[left.length];
    isLive = new boolean[left.length];
  }

  /** When each flow ends, in seconds. */
  static double[] finishTimes(Trial trial) {
    return new TextbookFlows(trial).run();
  }

  private double[] run() {
    double[] finish = new double[left.length];
    Arrays.fill(finish, Double.POSITIVE_INFINITY);
    boolean[] isStarted = new boolean[left.length];
    boolean[] isChanged = new boolean[trial.changes().size()];
    double now = 0;
    while (true) {
      divide();
      double next = Double.POSITIVE_INFINITY;
      int ends = -1;
      for (int i = 0; i < left.length; i++) {
        if (!isStarted[i]) {
          next = Math.min(next, trial.flows().get(i).start());
        }
      }
      for (int i = 0; i < isChanged.length; i++) {
        if (!isChanged[i]) {
          next = Math.min(next, trial.changes().get(i).time());
        }
      }
      for (int i = 0; i < left.length; i++) {
        if (isLive[i] && now + left[i] / rate[i] < next) {
          next = now + left[i] / rate[i];
          ends = i;
        }
      }
      if (next == Double.POSITIVE_INFINITY) {
        return finish;
      }
      for (int i = 0; i < left.length; i++) {
        left[i] -= isLive[i] ? rate[i] * (next - now) : 0;
      }
      now = next;
      if (ends >= 0) {
        isLive[ends] = false;
        finish[ends] = now;
        continue;
      }
      for (int i = 0; i < left.length; i++) {
        if (!isStarted[i] && trial.flows().get(i).start() == now) {
          isStarted[i] = true;
          isLive[i] = true;
        }
      }
      for (int i = 0; i < isChanged.length; i++) {
        if (!isChanged[i] && trial.changes().get(i).time() == now) {
          isChanged[i] = true;
          isFixed[trial.changes().get(i).resource()] = true;
          capacity[trial.changes().get(i).resource()] = trial.changes().get(i).unitsPerSecond();
        }
      }
    }
  }

  private void divide() {
    int count = capacity.length;
    double[][] cost = new double[left.length][count];
    int[] flowsThere = new int[count];
    for (int i = 0; i < left.length; i++) {
      Trial.Flow flow = trial.flows().get(i);
      for (int k = 0; k < flow.path().length; k++) {
        cost[i][flow.path()[k]] += flow.unitsPerByte()[k];
      }
      for (int r = 0; r < count; r++) {
        flowsThere[r] += isLive[i] && cost[i][r] > 0 ? 1 : 0;
      }
    }
    double[] free = new double[count];
    for (int r = 0; r < count; r++) {
      boolean isCurve = !isFixed[r] && flowsThere[r] > 0;
      free[r] = isCurve ? trial.resources().get(r).unitsPerSecond(flowsThere[r]) : capacity[r];
    }
    boolean[] isRising = isLive.clone();
    while (true) {
      double[] demand = demand(cost, isRising);
      double[] level = new double[left.length];
      double lowest = Double.POSITIVE_INFINITY;
      for (int i = 0; i < left.length; i++) {
        level[i] = Double.POSITIVE_INFINITY;
        if (isRising[i]) {
          level[i] = trial.flows().get(i).bytesPerSecondMax();
          for (int r = 0; r < count; r++) {
            if (cost[i][r] > 0) {
              level[i] = Math.min(level[i], Math.max(0, free[r]) / demand[r]);
            }
          }
          lowest = Math.min(lowest, level[i]);
        }
      }
      if (lowest == Double.POSITIVE_INFINITY) {
        return;
      }
      for (int i = 0; i < left.length; i++) {
        if (isRising[i] && level[i] <= lowest * (1 + 1e-13)) {
          isRising[i] = false;
          rate[i] = lowest;
          for (int r = 0; r < count; r++) {
            free[r] -= cost[i][r] * lowest;
          }
        }
      }
    }
  }

  private static double[] demand(double[][] cost, boolean[] isRising) {
    double[] demand = new double[cost.length == 0 ? 0 : cost[0].length];
    for (int i = 0; i < cost.length; i++) {
      for (int r = 0; isRising[i] && r < demand.length; r++) {
        demand[r] += cost[i][r];
      }
    }
    return demand;
  }
}
