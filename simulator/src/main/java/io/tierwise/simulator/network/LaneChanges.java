package io.tierwise.simulator.network;

import java.util.function.IntConsumer;

/**
 * The changes of lanes in one instant: flows come and go, and then, at its end where there are
 * many, the resources learn what is left of it. A lane that lost a flow and got one changes nothing
 * for anybody. A device that writes one piece after the other is such a lane, and so are most flows
 * of a busy cluster.
 */
final class LaneChanges {
  private final LaneTable lanes;
  private final ResourceTable resources;
  private final MaxMinSolver solver;

  // The changed lanes are a list, in the order in which they changed, that runs through the lanes.
  private int first = LaneTable.NONE;
  private int last = LaneTable.NONE;

  LaneChanges(LaneTable lanes, ResourceTable resources, MaxMinSolver solver) {
    this.lanes = lanes;
    this.resources = resources;
    this.solver = solver;
  }

  /** The lane is about to get another weight in this instant. */
  void note(int lane) {
    if (lanes.is(lane, LaneTable.CHANGED)) {
      return;
    }
    lanes.mark(lane, LaneTable.CHANGED);
    lanes.startChange(lane);
    if (last == LaneTable.NONE) {
      first = lane;
    } else {
      lanes.setNextChanged(last, lane);
    }
    last = lane;
  }

  boolean isEmpty() {
    return first == LaneTable.NONE;
  }

  /**
   * Lets flows that joined a lane share the rate of those that it had, for as long as nobody
   * divides anew: together they take no more than was given to the lane.
   *
   * @param slowed hears of each lane whose flows are slower now
   */
  void shareRates(long tick, IntConsumer slowed) {
    for (int lane = first; lane != LaneTable.NONE; lane = lanes.nextChanged(lane)) {
      int before = lanes.weightBefore(lane);
      double rate = LaneTable.finite(lanes.rate(lane));
      if (before > 0 && lanes.weight(lane) > before && rate > 0) {
        double shared = rate * before / lanes.weight(lane);
        lanes.advance(lane, tick);
        lanes.setRate(lane, shared);
        addUsed(lane, before * (shared - rate), tick);
        slowed.accept(lane);
      }
    }
  }

  private void addUsed(int lane, double rate, long tick) {
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane), cost = lanes.firstCost(lane); i < end; i++, cost++) {
      resources.advance(lanes.resource(i), tick);
      resources.addUsed(lanes.resource(i), lanes.units(cost) * rate);
    }
  }

  /** Tells the resources and the solver what changed, and gives empty lanes back. */
  void settle(long tick) {
    int following;
    for (int lane = first; lane != LaneTable.NONE; lane = following) {
      following = lanes.nextChanged(lane);
      lanes.unmark(lane, LaneTable.CHANGED);
      int difference = lanes.weight(lane) - lanes.weightBefore(lane);
      if (difference != 0) {
        if (lanes.weightBefore(lane) == 0) {
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
    first = LaneTable.NONE;
    last = LaneTable.NONE;
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
      int place = resources.placeOf(resource, lane, lanes.place(i));
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
