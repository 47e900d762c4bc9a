package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowsScenario;
import java.util.Arrays;

/**
 * The common scenario on a plain full solver, the measure for what locality brings: at each event
 * all rates are divided afresh by progressive filling. On arrays, with every list that saves a
 * scan, but without anything that would be remembered from one division to the next.
 */
final class FullSolver {
  private final FlowsScenario scenario;
  private final double[] capacity;
  private final int[][] paths;
  private final double[] left;
  private final double[] rate;
  private final int[] live;
  private int liveCount;

  private final double[] residual;
  private final int[] rising;
  private final int[] firstOn;
  private final int[] nextOn;
  private final int[] active;
  private int division;
  private final int[] seen;
  private final boolean[] isRising;

  FullSolver(FlowsScenario scenario) {
    this.scenario = scenario;
    int flowCount = scenario.flowCount();
    capacity = new double[scenario.resourceCount()];
    Arrays.setAll(capacity, scenario::capacity);
    int[] path = new int[FlowsScenario.PATH_MAX];
    paths = new int[flowCount][];
    left = new double[flowCount];
    for (int i = 0; i < flowCount; i++) {
      int length = scenario.path(i, path);
      paths[i] = Arrays.copyOf(path, length);
      left[i] = scenario.bytes(i);
    }
    rate = new double[flowCount];
    live = new int[flowCount];
    residual = new double[capacity.length];
    rising = new int[capacity.length];
    firstOn = new int[capacity.length];
    nextOn = new int[flowCount * FlowsScenario.PATH_MAX];
    active = new int[capacity.length];
    seen = new int[capacity.length];
    isRising = new boolean[flowCount];
  }

  /** Runs to the end; returns the makespan in seconds. */
  double run() {
    double now = 0;
    int started = 0;
    while (started < left.length || liveCount > 0) {
      double next =
          started < left.length
              ? Ticks.toSeconds(scenario.startTick(started))
              : Double.POSITIVE_INFINITY;
      int ending = -1;
      for (int k = 0; k < liveCount; k++) {
        double end = now + left[live[k]] / rate[live[k]];
        if (end < next) {
          next = end;
          ending = k;
        }
      }
      for (int k = 0; k < liveCount; k++) {
        left[live[k]] -= rate[live[k]] * (next - now);
      }
      now = next;
      if (ending >= 0) {
        live[ending] = live[--liveCount];
      } else {
        long tick = scenario.startTick(started);
        while (started < left.length && scenario.startTick(started) == tick) {
          live[liveCount++] = started++;
        }
      }
      divide();
    }
    return now;
  }

  private void divide() {
    division++;
    int activeCount = 0;
    for (int k = 0; k < liveCount; k++) {
      int flow = live[k];
      isRising[flow] = true;
      for (int i = 0; i < paths[flow].length; i++) {
        int resource = paths[flow][i];
        if (seen[resource] != division) {
          seen[resource] = division;
          active[activeCount++] = resource;
          residual[resource] = capacity[resource];
          rising[resource] = 0;
          firstOn[resource] = -1;
        }
        rising[resource]++;
        int entry = flow * FlowsScenario.PATH_MAX + i;
        nextOn[entry] = firstOn[resource];
        firstOn[resource] = entry;
      }
    }
    int risingCount = liveCount;
    while (risingCount > 0) {
      int full = -1;
      double level = Double.POSITIVE_INFINITY;
      int kept = 0;
      for (int k = 0; k < activeCount; k++) {
        int resource = active[k];
        if (rising[resource] > 0) {
          active[kept++] = resource;
          double share = residual[resource] / rising[resource];
          if (share < level) {
            level = share;
            full = resource;
          }
        }
      }
      activeCount = kept;
      for (int entry = firstOn[full]; entry >= 0; entry = nextOn[entry]) {
        int flow = entry / FlowsScenario.PATH_MAX;
        if (isRising[flow]) {
          isRising[flow] = false;
          risingCount--;
          rate[flow] = level;
          for (int resource : paths[flow]) {
            residual[resource] = Math.max(0, residual[resource] - level);
            rising[resource]--;
          }
        }
      }
    }
  }
}
