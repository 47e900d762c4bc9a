package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * The resources: what each can give, what it gives, what it gave, and which lanes use it. The
 * arrays are read and written by the network and the solver.
 */
final class ResourceTable {
  /** Units per second; of a curve, for the flows that were there at the last division. */
  double[] capacity = new double[16];

  ConcurrencyCurve[] curve = new ConcurrencyCurve[16];

  /** Units per second in use, over all lanes whose rate is finite. */
  double[] used = new double[16];

  /** Flows on the resource. */
  int[] flowCount = new int[16];

  /** Lanes whose recorded bottleneck this is. */
  int[] bottleneckCount = new int[16];

  /** Times that {@link #used} was computed from itself since it was last added up. */
  int[] updates = new int[16];

  /** No lane on the resource is faster; infinite where nobody looked. */
  double[] fastest = new double[16];

  /** The rate of the lanes whose recorded bottleneck this is; infinite if there are none. */
  double[] level = new double[16];

  /** Lanes on the resource; the first {@link #laneCount} entries count. */
  int[][] lanes = new int[16][];

  int[] laneCount = new int[16];

  private static final int[] EMPTY = {};

  private double[] movedUnitTicks = new double[16];
  private long[] busyTicks = new long[16];
  private long[] since = new long[16];
  private int count;

  int count() {
    return count;
  }

  int add() {
    if (count == capacity.length) {
      grow();
    }
    lanes[count] = EMPTY;
    level[count] = Double.POSITIVE_INFINITY;
    return count++;
  }

  void check(int resource) {
    if (resource < 0 || resource >= count) {
      throw new IllegalArgumentException("no resource " + resource + ", there are " + count);
    }
  }

  /** Asks a resource's curve for the flows that are there now. */
  void updateCapacity(int resource) {
    if (curve[resource] == null || flowCount[resource] == 0) {
      return;
    }
    capacity[resource] = curve[resource].unitsPerSecond(flowCount[resource]);
    if (!(capacity[resource] >= 0)) {
      throw new IllegalStateException(
          "the curve of resource "
              + resource
              + " gives "
              + capacity[resource]
              + " units per second for "
              + flowCount[resource]
              + " flows");
    }
  }

  /** Takes down what moved until {@code tick}; to be called before what is in use changes. */
  void advance(int resource, long tick) {
    long ticks = tick - since[resource];
    if (ticks > 0) {
      since[resource] = tick;
      if (used[resource] > 0) {
        movedUnitTicks[resource] += used[resource] * ticks;
        busyTicks[resource] += ticks;
      }
    }
  }

  /** Counts units that moved in no time. */
  void addMoved(int resource, double unitTicks) {
    movedUnitTicks[resource] += unitTicks;
  }

  double movedUnitTicks(int resource) {
    return movedUnitTicks[resource];
  }

  long busyTicks(int resource) {
    return busyTicks[resource];
  }

  /** Enters a lane into the list; returns its place there. */
  int enter(int resource, int lane) {
    int place = laneCount[resource]++;
    if (place == lanes[resource].length) {
      lanes[resource] = Arrays.copyOf(lanes[resource], Math.max(2, place + (place >> 1)));
    }
    lanes[resource][place] = lane;
    return place;
  }

  /**
   * Takes the lane at {@code place} out of the list; the last one, which is returned, goes there.
   */
  int leave(int resource, int place) {
    int last = lanes[resource][--laneCount[resource]];
    lanes[resource][place] = last;
    if (laneCount[resource] == 0) {
      // Rounding errors of what came and went end here.
      used[resource] = 0;
      fastest[resource] = 0;
    }
    return last;
  }

  private void grow() {
    int length = 2 * count;
    capacity = Arrays.copyOf(capacity, length);
    curve = Arrays.copyOf(curve, length);
    used = Arrays.copyOf(used, length);
    flowCount = Arrays.copyOf(flowCount, length);
    bottleneckCount = Arrays.copyOf(bottleneckCount, length);
    lanes = Arrays.copyOf(lanes, length);
    laneCount = Arrays.copyOf(laneCount, length);
    fastest = Arrays.copyOf(fastest, length);
    updates = Arrays.copyOf(updates, length);
    level = Arrays.copyOf(level, length);
    movedUnitTicks = Arrays.copyOf(movedUnitTicks, length);
    busyTicks = Arrays.copyOf(busyTicks, length);
    since = Arrays.copyOf(since, length);
  }
}
