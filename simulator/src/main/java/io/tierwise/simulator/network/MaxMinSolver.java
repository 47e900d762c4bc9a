package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * Divides anew what a change touches, and proves that nothing else has to change.
 *
 * <ol>
 *   <li>The lanes to divide for are those that changed and those whose recorded bottleneck was
 *       touched.
 *   <li>They are filled progressively with what the others leave.
 *   <li>Every lane must have its limit or a bottleneck: a full resource on which no lane is faster.
 *       Only the resources of the filling can have lost that property. Lanes that now have none,
 *       and lanes that are faster than one that was stopped, join.
 *   <li>If any joined, fill again. Lanes only join, so this ends, at the latest with all of them.
 * </ol>
 *
 * <p>The result is exact, since an allocation in which every lane has a bottleneck is the max-min
 * fair one, and there is only one. Source: Bertsekas and Gallager, Data Networks, 6.5.2. Own: the
 * local form; when more than a quarter of all lanes joined, all do, which saves the proofs.
 */
final class MaxMinSolver {
  /** Own: what rounding may take from equality, relative; far below what any result shows. */
  static final double TOLERANCE = 1e-12;

  /** Own: a rate that moved less than this is rounding and stays as it was. */
  private static final double SAME = 1e-14;

  private static final int ALL_FROM = 256;

  /** Own: updates of a sum after which it is added up afresh, so that no rounding gathers. */
  private static final int UPDATES_MAX = 1 << 16;

  private final LaneTable lanes;
  private final ResourceTable resources;
  private final Filling filling = new Filling();

  private int[] changedResources = new int[64];
  private boolean[] isResourceChanged = new boolean[64];
  private int changedResourceCount;
  private int[] changedLanes = new int[64];
  private boolean[] isLaneChanged = new boolean[64];
  private int changedLaneCount;

  private long division;
  private long[] laneDivision = new long[64];
  private long[] resourceDivision = new long[64];
  private int[] localResource = new int[64];
  private int[] updates = new int[64];

  /** Rates before the division, by local number. */
  private double[] rateBefore = new double[64];

  /** Lanes whose rate or head changed, for the network to find their next end. */
  int[] moved = new int[64];

  int movedCount;

  MaxMinSolver(LaneTable lanes, ResourceTable resources) {
    this.lanes = lanes;
    this.resources = resources;
  }

  /** Notes that a resource's capacity, flows or use changed. */
  void touchResource(int resource) {
    if (resource >= isResourceChanged.length) {
      int length = Math.max(resources.count(), 2 * isResourceChanged.length);
      isResourceChanged = Arrays.copyOf(isResourceChanged, length);
      resourceDivision = Arrays.copyOf(resourceDivision, length);
      localResource = Arrays.copyOf(localResource, length);
      updates = Arrays.copyOf(updates, length);
    }
    if (!isResourceChanged[resource]) {
      isResourceChanged[resource] = true;
      if (changedResourceCount == changedResources.length) {
        changedResources = Arrays.copyOf(changedResources, 2 * changedResourceCount);
      }
      changedResources[changedResourceCount++] = resource;
    }
  }

  /** Notes that a lane is new or has another weight; its resources are to be touched, too. */
  void touchLane(int lane) {
    if (lane >= isLaneChanged.length) {
      int length = Math.max(lane + 1, isLaneChanged.length + (isLaneChanged.length >> 1));
      isLaneChanged = Arrays.copyOf(isLaneChanged, length);
      laneDivision = Arrays.copyOf(laneDivision, length);
    }
    if (!isLaneChanged[lane]) {
      isLaneChanged[lane] = true;
      if (changedLaneCount == changedLanes.length) {
        changedLanes = Arrays.copyOf(changedLanes, 2 * changedLaneCount);
      }
      changedLanes[changedLaneCount++] = lane;
    }
  }

  boolean isChanged() {
    return changedResourceCount > 0 || changedLaneCount > 0;
  }

  /** Divides anew at {@code tick}; {@link #moved} then names the lanes that got another rate. */
  void divide(long tick) {
    division++;
    movedCount = 0;
    filling.clear();
    takeChanges();
    while (true) {
      boolean isAll = filling.laneCount == lanes.count();
      fill();
      if (isAll || !joinViolators()) {
        break;
      }
      if (filling.laneCount > ALL_FROM && filling.laneCount > lanes.count() >> 2) {
        joinAll();
      }
    }
    commit(tick);
  }

  private void takeChanges() {
    for (int i = 0; i < changedResourceCount; i++) {
      int resource = changedResources[i];
      isResourceChanged[resource] = false;
      int flowCount = resources.flowCount[resource];
      if (resources.curve[resource] != null && flowCount > 0) {
        resources.capacity[resource] = capacityOf(resources.curve[resource], flowCount);
      }
      local(resource);
    }
    for (int i = 0; i < changedLaneCount; i++) {
      int lane = changedLanes[i];
      isLaneChanged[lane] = false;
      if (lanes.weight[lane] > 0) {
        join(lane);
      }
    }
    for (int i = 0; i < changedResourceCount; i++) {
      joinStoppedBy(changedResources[i]);
    }
    changedResourceCount = 0;
    changedLaneCount = 0;
    if (filling.laneCount > ALL_FROM && filling.laneCount > lanes.count() >> 2) {
      joinAll();
    }
  }

  private static double capacityOf(ConcurrencyCurve curve, int flowCount) {
    double capacity = curve.unitsPerSecond(flowCount);
    if (!(capacity >= 0)) {
      throw new IllegalStateException(
          "a curve gives " + capacity + " units per second for " + flowCount + " flows");
    }
    return capacity;
  }

  /** The resource's local number; {@link Filling#NONE} if it cannot be full. */
  private int local(int resource) {
    if (resourceDivision[resource] != division) {
      resourceDivision[resource] = division;
      double capacity = resources.capacity[resource];
      localResource[resource] =
          capacity == Double.POSITIVE_INFINITY
              ? Filling.NONE
              : filling.addResource(resource, capacity, resources.used[resource]);
    }
    return localResource[resource];
  }

  private void join(int lane) {
    if (laneDivision[lane] == division) {
      return;
    }
    laneDivision[lane] = division;
    int stopper = lanes.bottleneck[lane];
    if (stopper != LaneTable.NONE) {
      resources.bottleneckCount[stopper]--;
      lanes.bottleneck[lane] = LaneTable.NONE;
    }
    int member = filling.addLane(lane, lanes.rateMax[lane]);
    if (member == rateBefore.length) {
      rateBefore = Arrays.copyOf(rateBefore, 2 * member);
    }
    double rate = lanes.rate[lane];
    rateBefore[member] = rate;
    double finite = finite(rate);
    int end = lanes.offset[lane] + lanes.length[lane];
    for (int i = lanes.offset[lane]; i < end; i++) {
      int local = local(lanes.pathResource[i]);
      if (local != Filling.NONE) {
        double units = lanes.pathUnits[i] * lanes.weight[lane];
        filling.addEntry(local, units, units * finite);
      }
    }
  }

  /** What a rate counts in sums: flows without any limit end at once and use nothing meanwhile. */
  static double finite(double rate) {
    return rate == Double.POSITIVE_INFINITY ? 0 : rate;
  }

  private void joinStoppedBy(int resource) {
    if (resources.bottleneckCount[resource] > 0) {
      int[] members = resources.lanes[resource];
      for (int i = resources.laneCount[resource] - 1; i >= 0; i--) {
        if (lanes.bottleneck[members[i]] == resource) {
          join(members[i]);
        }
      }
    }
  }

  private void joinAll() {
    for (int lane = 0; lane < lanes.idLimit(); lane++) {
      if (lanes.weight[lane] > 0) {
        join(lane);
      }
    }
  }

  private void fill() {
    filling.fill();
    for (int member = 0; member < filling.laneCount; member++) {
      lanes.rate[filling.lane[member]] = filling.rate[member];
    }
  }

  /** Lets those join that the filling took a bottleneck from, or that hold it back; true if any. */
  private boolean joinViolators() {
    int before = filling.laneCount;
    int resourceCount = filling.resourceCount;
    for (int local = 0; local < resourceCount; local++) {
      int resource = filling.resource[local];
      double slack = TOLERANCE * resources.capacity[resource];
      if (filling.residual[local] < -slack) {
        joinAllOn(resource);
      } else if (filling.residual[local] > slack) {
        joinStoppedBy(resource);
      } else if (filling.level[local] >= 0 || resources.bottleneckCount[resource] > 0) {
        joinUnequal(resource, filling.level[local]);
      }
    }
    return filling.laneCount > before;
  }

  private void joinAllOn(int resource) {
    for (int i = resources.laneCount[resource] - 1; i >= 0; i--) {
      join(resources.lanes[resource][i]);
    }
  }

  /** On a full resource all that it stops must be equal, and nobody faster. */
  private void joinUnequal(int resource, double level) {
    int[] members = resources.lanes[resource];
    int count = resources.laneCount[resource];
    double fastest = 0;
    for (int i = 0; i < count; i++) {
      fastest = Math.max(fastest, lanes.rate[members[i]]);
    }
    double least = fastest * (1 - TOLERANCE);
    double most = level >= 0 ? level * (1 + TOLERANCE) : Double.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      int lane = members[i];
      double rate = lanes.rate[lane];
      if (rate > most || (rate < least && lanes.bottleneck[lane] == resource)) {
        join(lane);
      }
    }
  }

  private void commit(long tick) {
    if (moved.length < filling.laneCount) {
      moved = new int[2 * filling.laneCount];
    }
    for (int member = 0; member < filling.laneCount; member++) {
      int lane = filling.lane[member];
      int by = filling.stoppedBy[member];
      if (by != Filling.NONE) {
        lanes.bottleneck[lane] = filling.resource[by];
        resources.bottleneckCount[filling.resource[by]]++;
      }
      double before = rateBefore[member];
      double rate = filling.rate[member];
      if (Math.abs(rate - before) <= SAME * before) {
        lanes.rate[lane] = before;
      } else {
        lanes.rate[lane] = before;
        advance(lane, tick);
        lanes.rate[lane] = rate;
        account(lane, finite(rate) - finite(before), tick);
        moved[movedCount++] = lane;
      }
    }
    for (int local = 0; local < filling.resourceCount; local++) {
      int resource = filling.resource[local];
      if (!filling.isSharedWithOthers(local)) {
        resources.used[resource] = resources.capacity[resource] - filling.residual[local];
      } else if (updates[resource] >= UPDATES_MAX) {
        updates[resource] = 0;
        resources.used[resource] = sum(resource);
      }
    }
  }

  /** Lets the lane's flows move until {@code tick} at the rate that they had. */
  void advance(int lane, long tick) {
    long ticks = tick - lanes.since[lane];
    if (ticks > 0) {
      lanes.volume[lane] += lanes.rate[lane] * FlowNetwork.seconds(ticks);
      lanes.since[lane] = tick;
    }
  }

  /** Adds a change of the rate of all of a lane's flows to what its resources give. */
  private void account(int lane, double difference, long tick) {
    int end = lanes.offset[lane] + lanes.length[lane];
    for (int i = lanes.offset[lane]; i < end; i++) {
      int resource = lanes.pathResource[i];
      resources.advance(resource, tick);
      resources.used[resource] += lanes.pathUnits[i] * lanes.weight[lane] * difference;
      updates[resource]++;
    }
  }

  /** What a resource gives, added up over its lanes. */
  double sum(int resource) {
    double sum = 0;
    for (int i = 0; i < resources.laneCount[resource]; i++) {
      int lane = resources.lanes[resource][i];
      int path = lanes.offset[lane];
      while (lanes.pathResource[path] != resource) {
        path++;
      }
      sum += lanes.pathUnits[path] * lanes.weight[lane] * finite(lanes.rate[lane]);
    }
    return sum;
  }
}
