package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Ticks;

/** Breaks what a network holds, for tests that want to see it found. */
public final class BrokenNetwork {
  private BrokenNetwork() {}

  /** Takes half of its rate from a flow, and counts it so; false when none runs. */
  public static boolean slowAFlow(FlowNetwork network) {
    LaneTable lanes = network.lanes;
    for (int lane = 0; lane < lanes.idLimit(); lane++) {
      double rate = lanes.rate(lane);
      if (lanes.weight(lane) > 0 && rate > 0 && rate < Double.POSITIVE_INFINITY) {
        lanes.setRate(lane, rate / 2);
        int end = lanes.offset(lane) + lanes.length(lane);
        for (int i = lanes.offset(lane), cost = lanes.firstCost(lane); i < end; i++, cost++) {
          double units = lanes.units(cost) * lanes.weight(lane) * rate / 2;
          network.resources.addUsed(lanes.resource(i), -units);
        }
        return true;
      }
    }
    return false;
  }

  /** Counts a second too much in which a resource was busy; false when it is not. */
  public static boolean lengthenBusyTime(FlowNetwork network, int resource, long nowTick) {
    if (network.used(resource) == 0) {
      return false;
    }
    network.resources.advance(resource, nowTick + Ticks.PER_SECOND);
    return true;
  }
}
