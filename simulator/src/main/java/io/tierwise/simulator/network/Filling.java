package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * Progressive filling of some lanes: their rates rise together from 0; a lane stays where it meets
 * a full resource or its own limit, the others go on. The use of a resource by lanes outside of the
 * filling is taken as given.
 *
 * <p>A filling touches memory in proportion to itself and not to the network: one cache line for
 * each of its resources. Lanes can join between two fillings.
 *
 * <p>Source: Bertsekas and Gallager, Data Networks, 6.5.2 (max-min fair flow control). Deviation:
 * the next full resource comes from a heap whose keys are only corrected at its top. That is enough
 * because the level at which a resource gets full can only rise when a lane on it stays below.
 */
final class Filling {
  private static final int NONE = -1;

  /** Own: a smaller part of a sum is what rounding left of it when all was subtracted. */
  private static final double NOISE = 1e-14;

  // The numbers of a resource stand together, eight doubles to a cache line.
  private static final int LINE = 8;
  private static final int RESIDUAL = 0;
  private static final int DEMAND = 1;
  private static final int RISING = 2;
  private static final int LEVEL = 3;
  private static final int FASTEST = 4;
  private static final int DEMAND_OF_ALL = 5;
  private static final int LANES = 6;
  private static final int USED_BY_OTHERS = 7;

  private final LaneTable lanes;
  private final ResourceTable resources;

  /**
   * The lanes, in the order in which they joined. After a division, which needs them no more, those
   * that it gave another rate; and when those are dealt with, those that wait for the next one.
   */
  int[] lane = new int[64];

  int laneCount;
  int movedCount;
  int waitingCount;

  /** Lanes with a limit of their own. */
  private int limitedCount;

  /** The resources of the lanes, and those that were added for themselves. */
  int[] resource = new int[64];

  int resourceCount;

  /** True when one of the resources can never be full; then its use is not in the residuals. */
  boolean hasUnbounded;

  private double[] lines = new double[64 * LINE];
  private int[] fillingOfResource = new int[64];
  private int filling;

  private double[] heapKey = new double[64];
  private int[] heapItem = new int[64];
  private int heapSize;

  Filling(LaneTable lanes, ResourceTable resources) {
    this.lanes = lanes;
    this.resources = resources;
  }

  /** Notes a lane for the next filling; its owner says when. */
  void await(int id) {
    if (!lanes.is(id, LaneTable.WAITING)) {
      lanes.mark(id, LaneTable.WAITING);
      put(waitingCount++, id);
    }
  }

  /** Forgets all lanes, but those that wait, and resources. */
  void clear() {
    laneCount = 0;
    movedCount = 0;
    resourceCount = 0;
    limitedCount = 0;
    hasUnbounded = false;
    filling++;
  }

  /** Units per second that the last filling left of a resource. */
  double residual(int id) {
    return lines[id * LINE + RESIDUAL];
  }

  /** The rate of the lanes that a resource stopped in the last filling; negative if none. */
  double level(int id) {
    return lines[id * LINE + LEVEL];
  }

  /** The rate of the fastest lane of the filling on a resource. */
  double fastest(int id) {
    return lines[id * LINE + FASTEST];
  }

  /** Lanes of the filling that use a resource. */
  int laneCountOn(int id) {
    return (int) lines[id * LINE + LANES];
  }

  /** Adds a resource, if it is not here, so that what the filling leaves of it is known. */
  void addResource(int id) {
    if (id >= fillingOfResource.length) {
      fillingOfResource = Arrays.copyOf(fillingOfResource, resources.count());
      lines = Arrays.copyOf(lines, resources.count() * LINE);
    }
    if (fillingOfResource[id] == filling) {
      return;
    }
    fillingOfResource[id] = filling;
    if (resourceCount == resource.length) {
      resource = Arrays.copyOf(resource, resourceCount + (resourceCount >> 1));
    }
    resource[resourceCount++] = id;
    int at = id * LINE;
    lines[at + DEMAND_OF_ALL] = 0;
    lines[at + LANES] = 0;
    lines[at + USED_BY_OTHERS] = resources.used(id);
    hasUnbounded |= resources.capacity(id) == Double.POSITIVE_INFINITY;
  }

  /** Adds a lane that is not here; what it has is given anew. */
  void addLane(int id) {
    limitedCount += lanes.rateMax(id) < Double.POSITIVE_INFINITY ? 1 : 0;
    lanes.mark(id, LaneTable.MEMBER);
    lanes.keepRateBefore(id);
    put(laneCount++, id);
    double rate = LaneTable.finite(lanes.rate(id));
    int weight = lanes.weight(id);
    int end = lanes.offset(id) + lanes.length(id);
    for (int i = lanes.offset(id), cost = lanes.firstCost(id); i < end; i++, cost++) {
      addResource(lanes.resource(i));
      double units = lanes.units(cost) * weight;
      int at = lanes.resource(i) * LINE;
      lines[at + DEMAND_OF_ALL] += units;
      lines[at + LANES]++;
      lines[at + USED_BY_OTHERS] -= units * rate;
    }
  }

  /** Fills; the lanes then have their new rates and bottlenecks. */
  void fill() {
    for (int i = 0; i < resourceCount; i++) {
      int id = resource[i];
      int at = id * LINE;
      double others = lines[at + USED_BY_OTHERS];
      boolean isShared =
          lines[at + LANES] < resources.laneCount(id) && others > NOISE * resources.used(id);
      lines[at + RESIDUAL] = resources.capacity(id) - (isShared ? others : 0);
      lines[at + DEMAND] = lines[at + DEMAND_OF_ALL];
      lines[at + RISING] = lines[at + LANES];
      lines[at + LEVEL] = NONE;
      lines[at + FASTEST] = 0;
    }
    for (int i = 0; i < laneCount; i++) {
      lanes.mark(lane[i], LaneTable.RISING);
    }
    makeHeap();
    int rising = laneCount;
    double reached = 0;
    while (rising > 0 && heapSize > 0) {
      int item = heapItem[0];
      if (item < 0) {
        if (lanes.is(~item, LaneTable.RISING)) {
          reached = Math.max(reached, heapKey[0]);
          stay(~item, reached, LaneTable.NONE);
          rising--;
        }
        dropTop();
      } else if (lines[item * LINE + RISING] == 0) {
        dropTop();
      } else {
        double full = fullAt(item);
        if (full > heapKey[0]) {
          sift(0, full, item);
        } else {
          reached = Math.max(reached, full);
          rising -= stopAll(item, reached);
          dropTop();
        }
      }
    }
    if (rising > 0) {
      letGo();
    }
  }

  /** The level at which a resource gets full if all its rising lanes go on. */
  private double fullAt(int id) {
    return Math.max(0, lines[id * LINE + RESIDUAL]) / lines[id * LINE + DEMAND];
  }

  private int stopAll(int id, double at) {
    lines[id * LINE + LEVEL] = at;
    int stopped = 0;
    int[] members = resources.lanes[id];
    for (int i = resources.laneCount(id) - 1; i >= 0; i--) {
      int member = members[i];
      if (lanes.is(member, LaneTable.RISING)) {
        stay(member, at, id);
        stopped++;
      }
    }
    return stopped;
  }

  private void stay(int member, double at, int by) {
    lanes.unmark(member, LaneTable.RISING);
    lanes.setRate(member, at);
    lanes.setBottleneck(member, by);
    int weight = lanes.weight(member);
    int end = lanes.offset(member) + lanes.length(member);
    for (int i = lanes.offset(member), cost = lanes.firstCost(member); i < end; i++, cost++) {
      double units = lanes.units(cost) * weight;
      int line = lanes.resource(i) * LINE;
      lines[line + RESIDUAL] -= units * at;
      lines[line + DEMAND] -= units;
      lines[line + RISING]--;
      lines[line + FASTEST] = at;
    }
  }

  /** Nothing stands in the way of the lanes that still rise. */
  private void letGo() {
    for (int i = 0; i < laneCount; i++) {
      if (lanes.is(lane[i], LaneTable.RISING)) {
        lanes.unmark(lane[i], LaneTable.RISING);
        lanes.setRate(lane[i], Double.POSITIVE_INFINITY);
        lanes.setBottleneck(lane[i], LaneTable.NONE);
      }
    }
  }

  /** Writes a lane to a place of the list, which counts or not. */
  void put(int place, int id) {
    if (place == lane.length) {
      lane = Arrays.copyOf(lane, Growth.after(place));
    }
    lane[place] = id;
  }

  private void makeHeap() {
    if (heapKey.length < resourceCount + limitedCount) {
      int length = Growth.after(resourceCount + limitedCount);
      heapKey = new double[length];
      heapItem = new int[length];
    }
    heapSize = 0;
    for (int i = 0; i < resourceCount; i++) {
      int id = resource[i];
      if (lines[id * LINE + RISING] > 0 && resources.capacity(id) < Double.POSITIVE_INFINITY) {
        heapKey[heapSize] = fullAt(id);
        heapItem[heapSize++] = id;
      }
    }
    for (int i = 0; limitedCount > 0 && i < laneCount; i++) {
      if (lanes.rateMax(lane[i]) < Double.POSITIVE_INFINITY) {
        heapKey[heapSize] = lanes.rateMax(lane[i]);
        heapItem[heapSize++] = ~lane[i];
      }
    }
    for (int slot = (heapSize >> 1) - 1; slot >= 0; slot--) {
      sift(slot, heapKey[slot], heapItem[slot]);
    }
  }

  private void dropTop() {
    heapSize--;
    if (heapSize > 0) {
      sift(0, heapKey[heapSize], heapItem[heapSize]);
    }
  }

  private void sift(int slot, double key, int item) {
    int hole = slot;
    for (int child = 2 * hole + 1; child < heapSize; child = 2 * hole + 1) {
      if (child + 1 < heapSize && heapKey[child + 1] < heapKey[child]) {
        child++;
      }
      if (key <= heapKey[child]) {
        break;
      }
      heapKey[hole] = heapKey[child];
      heapItem[hole] = heapItem[child];
      hole = child;
    }
    heapKey[hole] = key;
    heapItem[hole] = item;
  }
}
