package io.tierwise.simulator.network;

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
 * local form, and that in dense systems all that changes can reach is filled at once, which saves
 * the proofs.
 */
final class MaxMinSolver {
  /** Own: what rounding may take from equality, relative; far below what any result shows. */
  static final double TOLERANCE = 1e-12;

  /** Own: a filling of fewer lanes costs less than to look for all that can be reached. */
  private static final int DENSE_MIN = 256;

  /** Own: from this part of the reachable lanes on, further proofs cost more than they save. */
  private static final int DENSE_PART = 16;

  /** Own: steps towards the level at which a resource gets full; each may only be too low. */
  private static final int LEVEL_STEPS = 4;

  /** Own: updates of a sum after which it is added up afresh, so that no rounding gathers. */
  private static final int UPDATES_MAX = 1 << 16;

  private final LaneTable lanes;
  private final ResourceTable resources;
  private final Filling filling;

  private final IdSet changedResources = new IdSet();

  /** True while resources gained nothing but room: then none stops a lane earlier than before. */
  private boolean hasOnlyRoom = true;

  /** Below this level nothing changes; {@link Double#NaN} until somebody needs to know. */
  private double unchangedBelow;

  MaxMinSolver(LaneTable lanes, ResourceTable resources) {
    this.lanes = lanes;
    this.resources = resources;
    filling = new Filling(lanes, resources);
  }

  /** Notes that a flow left a resource. */
  void touchLeft(int resource) {
    changedResources.add(resource);
    hasOnlyRoom &= resources.curve[resource] == null;
  }

  /** Notes that a resource's capacity changed, or that it has one flow more. */
  void touchResource(int resource) {
    changedResources.add(resource);
    hasOnlyRoom = false;
  }

  /** Notes that a lane has one flow more; its resources are to be touched, too. */
  void touchLane(int lane) {
    filling.await(lane);
  }

  boolean isChanged() {
    return changedResources.size > 0 || filling.waitingCount > 0;
  }

  /** Divides anew at {@code tick}; {@link #moved} then gives the lanes that got another rate. */
  void divide(long tick) {
    unchangedBelow = Double.NaN;
    filling.clear();
    takeChanges();
    boolean isClosed = joinAllIfDense();
    filling.fill();
    while (!isClosed && joinViolators()) {
      isClosed = joinAllIfDense();
      filling.fill();
    }
    commit(tick);
    changedResources.clear();
    hasOnlyRoom = true;
  }

  /** The number of lanes whose rate the last division changed. */
  int movedCount() {
    return filling.movedCount;
  }

  /** A lane that the last division gave another rate, for the network to find its next end. */
  int moved(int place) {
    return filling.lane[place];
  }

  private void takeChanges() {
    for (int i = 0; i < changedResources.size; i++) {
      int resource = changedResources.ids[i];
      resources.updateCapacity(resource);
      filling.addResource(resource);
    }
    // Those that join are written where those that waited were read.
    for (int i = 0; i < filling.waitingCount; i++) {
      int lane = filling.lane[i];
      if (lanes.weight(lane) > 0) {
        join(lane);
      } else {
        lanes.unmark(lane, LaneTable.WAITING);
      }
    }
    filling.waitingCount = 0;
    for (int i = 0; i < changedResources.size; i++) {
      joinStoppedBy(changedResources.ids[i]);
    }
  }

  /**
   * In a dense system lets all lanes join that the changes can reach at all; true if it did, and no
   * proof is needed. A filling of all lanes would run as the last one did up to the first level at
   * which a changed resource stopped a lane or now stops one; who stayed below that stays there.
   */
  private boolean joinAllIfDense() {
    if (filling.laneCount == lanes.count()) {
      return true;
    }
    if (filling.laneCount < DENSE_MIN) {
      return false;
    }
    if (Double.isNaN(unchangedBelow)) {
      unchangedBelow = Double.POSITIVE_INFINITY;
      for (int i = 0; i < changedResources.size; i++) {
        unchangedBelow = firstStop(changedResources.ids[i], unchangedBelow);
      }
      unchangedBelow *= 1 - TOLERANCE;
    }
    int end = filling.laneCount;
    int enough = (filling.laneCount + 1) * DENSE_PART;
    for (int lane = lanes.nextInUse(0); lane != LaneTable.NONE; lane = lanes.nextInUse(lane + 1)) {
      if (lanes.rate(lane) >= unchangedBelow && !lanes.is(lane, LaneTable.MEMBER)) {
        filling.put(end++, lane);
        if (end == enough) {
          // Not dense, however many of the others it can reach.
          return false;
        }
      }
    }
    while (filling.laneCount < end) {
      join(filling.lane[filling.laneCount]);
    }
    return true;
  }

  /**
   * No greater than the level at which a changed resource stopped a lane or now stops one, nor than
   * {@code most}, from which on nobody looks.
   */
  private double firstStop(int resource, double most) {
    double bound = Math.min(most, resources.level(resource));
    if (hasOnlyRoom) {
      return bound;
    }
    double level = 0;
    for (int step = 0; step < LEVEL_STEPS && level < bound; step++) {
      double free = resources.capacity(resource);
      double rising = 0;
      for (int i = 0; i < resources.laneCount(resource); i++) {
        int lane = resources.lanes[resource][i];
        double units = lanes.unitsOn(lane, resource);
        double rate = rateBefore(lane);
        if (rate > level) {
          rising += units;
        } else {
          free -= units * rate;
        }
      }
      double next = rising == 0 ? Double.POSITIVE_INFINITY : Math.max(0, free) / rising;
      if (!(next > level)) {
        break;
      }
      level = next;
    }
    return Math.min(level, bound);
  }

  /** The rate of a lane before the division; a changed lane may want any rate. */
  private double rateBefore(int lane) {
    if (!lanes.is(lane, LaneTable.MEMBER)) {
      return lanes.rate(lane);
    }
    return lanes.is(lane, LaneTable.WAITING) ? Double.POSITIVE_INFINITY : lanes.rateBefore(lane);
  }

  private void join(int lane) {
    if (!lanes.is(lane, LaneTable.MEMBER)) {
      int stopper = lanes.bottleneck(lane);
      if (stopper != LaneTable.NONE) {
        resources.addBottleneckCount(stopper, -1);
      }
      filling.addLane(lane);
    }
  }

  private void joinStoppedBy(int resource) {
    if (resources.bottleneckCount(resource) > 0) {
      int[] members = resources.lanes[resource];
      for (int i = resources.laneCount(resource) - 1; i >= 0; i--) {
        if (lanes.bottleneck(members[i]) == resource) {
          join(members[i]);
        }
      }
    }
  }

  /** Lets those join that the filling took a bottleneck from, or that hold it back; true if any. */
  private boolean joinViolators() {
    int before = filling.laneCount;
    int resourceCount = filling.resourceCount;
    for (int i = 0; i < resourceCount; i++) {
      int resource = filling.resource[i];
      double residual = filling.residual(resource);
      double slack = TOLERANCE * resources.capacity(resource);
      if (residual < -slack) {
        joinAllOn(resource);
      } else if (residual > slack || residual == Double.POSITIVE_INFINITY) {
        joinStoppedBy(resource);
      } else {
        joinUnequal(resource);
      }
    }
    return filling.laneCount > before;
  }

  private void joinAllOn(int resource) {
    for (int i = resources.laneCount(resource) - 1; i >= 0; i--) {
      join(resources.lanes[resource][i]);
    }
  }

  /** On a full resource nobody may be faster than those that it stops. */
  private void joinUnequal(int resource) {
    if (resources.bottleneckCount(resource) > 0
        && filling.fastest(resource) > resources.level(resource) * (1 + TOLERANCE)) {
      joinStoppedBy(resource);
    }
    double most = filling.level(resource) * (1 + TOLERANCE);
    if (most < 0 || resources.fastest(resource) <= most) {
      return;
    }
    // From here on, of those that do not join; the filling knows its own.
    double fastest = 0;
    int[] members = resources.lanes[resource];
    for (int i = 0; i < resources.laneCount(resource); i++) {
      int lane = members[i];
      if (!lanes.is(lane, LaneTable.MEMBER)) {
        if (lanes.rate(lane) > most) {
          join(lane);
        } else {
          fastest = Math.max(fastest, lanes.rate(lane));
        }
      }
    }
    resources.setFastest(resource, fastest);
  }

  private void commit(long tick) {
    for (int i = 0; i < filling.laneCount; i++) {
      int lane = filling.lane[i];
      lanes.unmark(lane, LaneTable.MEMBER | LaneTable.WAITING);
      if (lanes.bottleneck(lane) != LaneTable.NONE) {
        resources.addBottleneckCount(lanes.bottleneck(lane), 1);
      }
      double before = lanes.rateBefore(lane);
      double rate = lanes.rate(lane);
      if (rate != before) {
        lanes.setRate(lane, before);
        lanes.advance(lane, tick);
        lanes.setRate(lane, rate);
        if (filling.hasUnbounded) {
          accountUnbounded(lane, LaneTable.finite(rate) - LaneTable.finite(before), tick);
        }
        filling.lane[filling.movedCount++] = lane;
      }
    }
    for (int i = 0; i < filling.resourceCount; i++) {
      account(filling.resource[i], tick);
    }
  }

  private void account(int resource, long tick) {
    if (resources.capacity(resource) == Double.POSITIVE_INFINITY) {
      return;
    }
    resources.advance(resource, tick);
    resources.setUsed(resource, resources.capacity(resource) - filling.residual(resource));
    if (resources.countUpdate(resource) >= UPDATES_MAX) {
      resources.forgetUpdates(resource);
      resources.setUsed(resource, sum(resource));
    }
    boolean isAlone = filling.laneCountOn(resource) == resources.laneCount(resource);
    double others = isAlone ? 0 : resources.fastest(resource);
    resources.setFastest(resource, Math.max(others, filling.fastest(resource)));
    if (filling.level(resource) >= 0) {
      resources.setLevel(resource, filling.level(resource));
    } else if (resources.bottleneckCount(resource) == 0) {
      resources.setLevel(resource, Double.POSITIVE_INFINITY);
    }
  }

  /** Adds a change of the rate of a lane's flows to what unlimited resources give. */
  private void accountUnbounded(int lane, double difference, long tick) {
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane), cost = lanes.firstCost(lane); i < end; i++, cost++) {
      int resource = lanes.resource(i);
      if (resources.capacity(resource) == Double.POSITIVE_INFINITY) {
        resources.advance(resource, tick);
        resources.addUsed(resource, lanes.units(cost) * lanes.weight(lane) * difference);
      }
    }
  }

  /** The use of a resource, added up over its lanes. */
  private double sum(int resource) {
    double sum = 0;
    for (int i = 0; i < resources.laneCount(resource); i++) {
      int lane = resources.lanes[resource][i];
      sum += lanes.unitsOn(lane, resource) * LaneTable.finite(lanes.rate(lane));
    }
    return sum;
  }
}
