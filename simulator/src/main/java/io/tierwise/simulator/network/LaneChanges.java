package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * What an instant does to lanes: flows come and go, and then, at its end where there are many, the
 * resources learn what is left of it. A lane that lost a flow and got one changes nothing for
 * anybody. A device that writes one piece after the other is such a lane, and so are most flows of
 * a busy cluster.
 */
final class LaneChanges {
  private final LaneTable lanes;
  private final ResourceTable resources;
  private final MaxMinSolver solver;
  private int[] changed = new int[64];
  private int count;

  LaneChanges(LaneTable lanes, ResourceTable resources, MaxMinSolver solver) {
    this.lanes = lanes;
    this.resources = resources;
    this.solver = solver;
  }

  /** The lane gets another weight in this instant. */
  void note(int lane) {
    if (lanes.isChanged[lane]) {
      return;
    }
    lanes.isChanged[lane] = true;
    if (count == changed.length) {
      changed = Arrays.copyOf(changed, count + (count >> 1));
    }
    changed[count++] = lane;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Tells the resources and the solver what changed, and gives empty lanes back. */
  void settle(long tick) {
    for (int i = 0; i < count; i++) {
      int lane = changed[i];
      lanes.isChanged[lane] = false;
      int difference = lanes.weight(lane) - lanes.settledWeight(lane);
      if (difference != 0) {
        if (lanes.settledWeight(lane) == 0) {
          enter(lane);
        }
        changeWeight(lane, difference, tick);
      }
      if (lanes.weight(lane) == 0) {
        if (difference != 0) {
          leave(lane);
        }
        lanes.free(lane);
      }
    }
    count = 0;
  }

  private void enter(int lane) {
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane); i < end; i++) {
      lanes.setPlace(i, resources.enter(lanes.resource(i), lane));
    }
  }

  private void leave(int lane) {
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane); i < end; i++) {
      int resource = lanes.resource(i);
      int place = lanes.place(i);
      int last = resources.leave(resource, place);
      int entry = lanes.offset(last);
      while (lanes.resource(entry) != resource) {
        entry++;
      }
      lanes.setPlace(entry, place);
    }
    if (lanes.bottleneck(lane) != LaneTable.NONE) {
      resources.addBottleneckCount(lanes.bottleneck(lane), -1);
    }
  }

  /** Lets some flows more or less use the lane's resources at the lane's present rate. */
  private void changeWeight(int lane, int difference, long tick) {
    lanes.settleWeight(lane);
    double rate = difference * LaneTable.finite(lanes.rate(lane));
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane), cost = lanes.firstCost(lane); i < end; i++, cost++) {
      int resource = lanes.resource(i);
      resources.advance(resource, tick);
      resources.addUsed(resource, lanes.units(cost) * rate);
      resources.addFlowCount(resource, difference);
      if (difference > 0) {
        solver.touchResource(resource);
      } else {
        solver.touchLeft(resource);
      }
    }
    if (difference > 0) {
      solver.touchLane(lane);
    }
  }
}
