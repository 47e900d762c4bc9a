package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;

/**
 * Flows over shared resources, each at its max-min fair rate in bytes per second: no flow can be
 * faster without making one slower that is no faster than itself. A flow of rate x takes {@code
 * unitsPerByte[i] * x} of {@code resources[i]}.
 *
 * <p>Rates hold from the end of one instant to the end of the next one at which something changes:
 * all changes of one instant make one division. Start reading at {@link MaxMinSolver} for how rates
 * are found, at {@link LaneTable} for what flows of one path share.
 */
public final class FlowNetwork {
  /** Own: a lane's volume is set back before its last place would count in a flow of 1 MB. */
  private static final double VOLUME_MAX = 1L << 40;

  /** Flows below which nothing waits, neither for others nor for an instant's end: all is cheap. */
  private static final int MANY_FLOWS = 1000;

  private static final int NO_TIMER = -1;

  private final Engine engine;
  private final FlowListener listener;
  final ResourceTable resources = new ResourceTable();
  final LaneTable lanes = new LaneTable();
  private final FlowTable flows = new FlowTable();
  private final CompletionHeap completions = new CompletionHeap();
  private final MaxMinSolver solver = new MaxMinSolver(lanes, resources);
  private final LaneChanges changes = new LaneChanges(lanes, resources, solver);
  private final int timer;
  private int divisionTimer = NO_TIMER;
  private long granularityTicks;
  private long nextDivisionTick;
  private final int instantEnd;
  private long timerTick = Ticks.NEVER;
  private int flowCount;
  private long finishedFlows;
  private int[] path = new int[16];
  private double[] pathUnits = new double[16];

  /**
   * A network without resources, whose changes take effect at the ends of the engine's instants.
   */
  public FlowNetwork(Engine engine, FlowListener listener) {
    this.engine = engine;
    this.listener = listener;
    this.timer = engine.newTimer(engine.register(argument -> finishDue()), 0);
    this.instantEnd = engine.registerInstantEnd(this::divide);
  }

  /**
   * Lets changes wait while many flows run: rates are then divided anew at most once in {@code
   * ticks}. A flow may begin to move that much later, one that joins others on the same path shares
   * their rate until then, and what a flow leaves may be unused that long; no resource gives more
   * than it has, no byte is lost. 0, as at first: nothing waits.
   *
   * <p>Own: in a burst of tens of thousands of flows that all depend on each other, hundreds end in
   * a second and each end changes all rates a little.
   */
  public void setGranularity(long ticks) {
    granularityTicks = ticks;
    if (divisionTimer == NO_TIMER) {
      divisionTimer = engine.newTimer(engine.register(argument -> requestDivision()), 0);
    }
  }

  /** Adds a resource of constant capacity, infinity allowed; returns its id. */
  public int addResource(double unitsPerSecond) {
    checkCapacity(unitsPerSecond);
    int resource = resources.add();
    resources.setCapacity(resource, unitsPerSecond);
    return resource;
  }

  /** Adds a resource whose capacity depends on the number of flows on it; returns its id. */
  public int addResource(ConcurrencyCurve curve) {
    int resource = resources.add();
    resources.curve[resource] = curve;
    return resource;
  }

  /** Gives a resource a constant capacity from now on; 0 halts its flows. */
  public void setCapacity(int resource, double unitsPerSecond) {
    resources.check(resource);
    checkCapacity(unitsPerSecond);
    resources.curve[resource] = null;
    resources.setCapacity(resource, unitsPerSecond);
    change(resource);
  }

  /** Gives a resource a capacity that depends on the number of flows on it, from now on. */
  public void setCapacity(int resource, ConcurrencyCurve curve) {
    resources.check(resource);
    resources.curve[resource] = curve;
    change(resource);
  }

  /** The curve of a resource: its units per second by the number of flows. */
  public ConcurrencyCurve curve(int resource) {
    resources.check(resource);
    ConcurrencyCurve curve = resources.curve[resource];
    double constant = resources.capacity(resource);
    return curve == null ? flowCount -> constant : curve;
  }

  /**
   * Starts a flow; its rate is 0 until the instant ends. A resource named twice is paid twice, one
   * that costs nothing is not used.
   *
   * @param resources the resources' ids; the array may be used again after the call
   * @param unitsPerByte what a byte takes of each resource: not negative, finite
   * @param length how many entries of the two arrays count
   * @param bytes finite; a flow of 0 bytes ends at the end of the instant
   * @param bytesPerSecondMax what the flow never exceeds; infinity for no limit
   * @param tag handed to the listener
   * @return the flow's id, which is used again after the flow's end
   */
  public int start(
      int[] resources,
      double[] unitsPerByte,
      int length,
      double bytes,
      double bytesPerSecondMax,
      long tag) {
    if (!(bytes >= 0) || bytes == Double.POSITIVE_INFINITY || !(bytesPerSecondMax >= 0)) {
      throw new IllegalArgumentException(
          "a flow of " + bytes + " bytes at most " + bytesPerSecondMax + " bytes per second");
    }
    int pathLength = takePath(resources, unitsPerByte, length);
    int lane = lanes.find(path, pathUnits, pathLength, bytesPerSecondMax);
    if (lanes.weight(lane) == 0) {
      lanes.restart(lane, engine.now());
    }
    lanes.advance(lane, engine.now());
    int flow = flows.add(lane, lanes.volume(lane) + bytes, tag);
    changeWeight(lane, 1);
    int head = flows.meld(lanes.head(lane), flow);
    if (head != lanes.head(lane)) {
      lanes.setHead(lane, head);
      completions.set(lane, endOf(lane));
    }
    flowCount++;
    return flow;
  }

  /**
   * Ends a flow before its time; the listener is not told.
   *
   * @return the bytes that it had left
   */
  public double cancel(int flow) {
    double bytesLeft = bytesLeft(flow);
    int lane = flows.lane(flow);
    remove(flow);
    forgetEndOfEmpty(lane);
    flows.free(flow);
    return bytesLeft;
  }

  /** Bytes per second as divided at the end of the last instant with a change. */
  public double rate(int flow) {
    return lanes.rate(laneOf(flow));
  }

  /** Bytes that have not arrived by now. */
  public double bytesLeft(int flow) {
    int lane = laneOf(flow);
    double volume = lanes.volume(lane);
    long ticks = engine.now() - lanes.since(lane);
    if (ticks > 0) {
      volume += lanes.rate(lane) * seconds(ticks);
    }
    return Math.max(0, flows.target(flow) - volume);
  }

  /** Units per second in use, as divided at the end of the last instant with a change. */
  public double used(int resource) {
    resources.check(resource);
    return resources.used(resource);
  }

  /** Units that went through the resource until now. */
  public double unitsMoved(int resource) {
    resources.check(resource);
    resources.advance(resource, engine.now());
    return resources.movedUnitTicks(resource) / Ticks.PER_SECOND;
  }

  /** Seconds until now in which something went through the resource. */
  public double busySeconds(int resource) {
    resources.check(resource);
    resources.advance(resource, engine.now());
    return seconds(resources.busyTicks(resource));
  }

  /** Flows that have started and not ended. */
  public int flowCount() {
    return flowCount;
  }

  /** Flows that ended by themselves. */
  public long finishedFlows() {
    return finishedFlows;
  }

  /**
   * Checks that no resource gives more than it has, that every flow has its greatest rate or a
   * bottleneck, a full resource on which no flow is faster, and that the next ends are in order.
   * Does nothing while changes wait for the end of the instant.
   *
   * @throws IllegalStateException with the broken invariant
   */
  public void check() {
    if (changes.isEmpty() && !solver.isChanged()) {
      new NetworkCheck(resources, lanes, flows, completions).check(flowCount);
    }
  }

  static double seconds(long ticks) {
    return ticks / (double) Ticks.PER_SECOND;
  }

  private static void checkCapacity(double unitsPerSecond) {
    if (!(unitsPerSecond >= 0)) {
      throw new IllegalArgumentException("capacity of " + unitsPerSecond + " units per second");
    }
  }

  private int laneOf(int flow) {
    if (!flows.isLive(flow)) {
      throw new IllegalArgumentException("no flow " + flow);
    }
    return flows.lane(flow);
  }

  private void change(int resource) {
    // A resource that was infinite may have lanes that no division looked at.
    resources.setFastest(resource, Double.POSITIVE_INFINITY);
    solver.touchResource(resource);
    engine.requestInstantEnd(instantEnd);
  }

  /** Copies a path without double and free entries; returns its length. */
  private int takePath(int[] resourceIds, double[] unitsPerByte, int length) {
    if (path.length < length) {
      path = new int[2 * length];
      pathUnits = new double[2 * length];
    }
    int pathLength = 0;
    for (int i = 0; i < length; i++) {
      int resource = resourceIds[i];
      double units = unitsPerByte[i];
      resources.check(resource);
      if (!(units >= 0) || units == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException("a cost of " + units + " units per byte");
      }
      int place = 0;
      while (place < pathLength && path[place] != resource) {
        place++;
      }
      if (place < pathLength) {
        pathUnits[place] += units;
      } else if (units > 0) {
        path[pathLength] = resource;
        pathUnits[pathLength++] = units;
      }
    }
    return pathLength;
  }

  /**
   * Takes a live flow out of its lane; its id stays taken. An empty lane keeps its place among the
   * next ends.
   */
  private void remove(int flow) {
    int lane = flows.lane(flow);
    boolean isHead = flow == lanes.head(lane);
    lanes.setHead(lane, flows.remove(lanes.head(lane), flow));
    flows.end(flow);
    flowCount--;
    changeWeight(lane, -1);
    if (isHead && lanes.weight(lane) > 0) {
      lanes.advance(lane, engine.now());
      completions.set(lane, endOf(lane));
    }
  }

  private void changeWeight(int lane, int difference) {
    changes.note(lane);
    lanes.addWeight(lane, difference);
    if (flowCount < MANY_FLOWS && !ratesWait()) {
      changes.settle(engine.now());
    }
    engine.requestInstantEnd(instantEnd);
  }

  private void forgetEndOfEmpty(int lane) {
    if (lanes.weight(lane) == 0) {
      completions.remove(lane);
    }
  }

  /** The tick at which the lane's next flow ends if the rate stays; the lane is at now. */
  private long endOf(int lane) {
    double bytes = flows.target(lanes.head(lane)) - lanes.volume(lane);
    if (bytes <= 0) {
      return engine.now();
    }
    double ticks = bytes / lanes.rate(lane) * Ticks.PER_SECOND;
    return ticks < (double) (Ticks.NEVER - engine.now())
        ? engine.now() + rounded(ticks)
        : Ticks.NEVER;
  }

  /** As {@link Math#round}, in a fraction of its time where nothing is negative. */
  private static long rounded(double ticks) {
    long whole = (long) ticks;
    return ticks - whole >= 0.5 ? whole + 1 : whole;
  }

  private void finishDue() {
    timerTick = Ticks.NEVER;
    while (completions.minTick() <= engine.now()) {
      int lane = completions.minLane();
      int flow = lanes.head(lane);
      long tag = flows.tag(flow);
      if (lanes.rate(lane) == Double.POSITIVE_INFINITY) {
        countAtOnce(lane, flow);
      }
      remove(flow);
      finishedFlows++;
      listener.flowFinished(flow, tag);
      forgetEndOfEmpty(lane);
      flows.free(flow);
    }
    engine.requestInstantEnd(instantEnd);
  }

  /** A flow that nothing limits moves its bytes in no time: no integral over time sees them. */
  private void countAtOnce(int lane, int flow) {
    double bytes = Math.max(0, flows.target(flow) - lanes.volume(lane));
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane), cost = lanes.firstCost(lane); i < end; i++, cost++) {
      resources.addMoved(lanes.resource(i), bytes * lanes.units(cost) * Ticks.PER_SECOND);
    }
  }

  private void requestDivision() {
    engine.requestInstantEnd(instantEnd);
  }

  private boolean ratesWait() {
    return engine.now() < nextDivisionTick;
  }

  private void divide() {
    if (ratesWait()) {
      changes.shareRates(engine.now(), lane -> completions.set(lane, endOf(lane)));
    }
    changes.settle(engine.now());
    if (solver.isChanged() && ratesWait()) {
      engine.setTimer(divisionTimer, nextDivisionTick);
    } else if (solver.isChanged()) {
      nextDivisionTick = flowCount < MANY_FLOWS ? 0 : engine.now() + granularityTicks;
      solver.divide(engine.now());
      for (int i = 0; i < solver.movedCount(); i++) {
        int lane = solver.moved(i);
        if (lanes.volume(lane) > VOLUME_MAX) {
          flows.rebase(lanes.head(lane), lanes.volume(lane));
          lanes.resetVolume(lane);
        }
        completions.set(lane, endOf(lane));
      }
    }
    if (completions.minTick() != timerTick) {
      timerTick = completions.minTick();
      engine.setTimer(timer, timerTick);
    }
  }
}
