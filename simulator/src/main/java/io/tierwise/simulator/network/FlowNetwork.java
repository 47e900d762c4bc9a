package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Flows over shared resources, each at its max-min fair rate in bytes per second: no flow can be
 * faster without making one slower that is no faster than itself. A flow of rate x takes {@code
 * unitsPerByte[i] * x} of {@code resources[i]}.
 *
 * <p>Rates hold from the end of one instant to the end of the next one at which something changes:
 * all changes of one instant make one division.
 */
public final class FlowNetwork {
  private static final double TOLERANCE = 1e-9;

  private static final class Resource {
    double capacity;
    ConcurrencyCurve curve;
    final List<Flow> flows = new ArrayList<>();
    double used;
    double unitsMoved;
    double busySeconds;
    double residual;
    double demand;
  }

  private static final class Flow {
    int id;
    Resource[] resources;
    double[] unitsPerByte;
    double bytesLeft;
    double rateMax;
    double rate;
    long tag;
    long finishTick;
    boolean isFrozen;
  }

  private final Engine engine;
  private final FlowListener listener;
  private final List<Resource> resources = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private final List<Flow> live = new ArrayList<>();
  private final List<Integer> freeIds = new ArrayList<>();
  private final int timer;
  private final int instantEnd;
  private long settledTick;
  private long finishedFlows;
  private boolean isStale;

  public FlowNetwork(Engine engine, FlowListener listener) {
    this.engine = engine;
    this.listener = listener;
    this.timer = engine.newTimer(engine.register(argument -> finishDue()), 0);
    this.instantEnd = engine.registerInstantEnd(this::divide);
  }

  /** Adds a resource of constant capacity, infinity allowed; returns its id. */
  public int addResource(double unitsPerSecond) {
    resources.add(new Resource());
    setCapacity(resources.size() - 1, unitsPerSecond);
    return resources.size() - 1;
  }

  /** Adds a resource whose capacity depends on the number of flows on it; returns its id. */
  public int addResource(ConcurrencyCurve curve) {
    int resource = addResource(0);
    resources.get(resource).curve = curve;
    return resource;
  }

  /** Gives a resource a constant capacity from now on; 0 halts its flows. */
  public void setCapacity(int resource, double unitsPerSecond) {
    if (!(unitsPerSecond >= 0)) {
      throw new IllegalArgumentException("capacity of " + unitsPerSecond + " units per second");
    }
    resources.get(resource).curve = null;
    resources.get(resource).capacity = unitsPerSecond;
    change();
  }

  /** Gives a resource a capacity that depends on the number of flows on it, from now on. */
  public void setCapacity(int resource, ConcurrencyCurve curve) {
    resources.get(resource).curve = curve;
    change();
  }

  /**
   * Starts a flow; its rate is 0 until the instant ends.
   *
   * @param length how many entries of the two arrays count
   * @param bytesPerSecondMax what the flow never exceeds; infinity for no limit
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
    Flow flow = new Flow();
    flow.resources = new Resource[length];
    flow.unitsPerByte = Arrays.copyOf(unitsPerByte, length);
    flow.bytesLeft = bytes;
    flow.rateMax = bytesPerSecondMax;
    flow.tag = tag;
    flow.finishTick = Ticks.NEVER;
    settle();
    for (int i = 0; i < length; i++) {
      if (!(unitsPerByte[i] >= 0) || unitsPerByte[i] == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException("a cost of " + unitsPerByte[i] + " units per byte");
      }
      flow.resources[i] = this.resources.get(resources[i]);
    }
    for (Resource resource : flow.resources) {
      resource.flows.add(flow);
    }
    flow.id = freeIds.isEmpty() ? flows.size() : freeIds.remove(freeIds.size() - 1);
    if (flow.id == flows.size()) {
      flows.add(flow);
    } else {
      flows.set(flow.id, flow);
    }
    live.add(flow);
    change();
    return flow.id;
  }

  /** Ends a flow before its time; returns the bytes that it had left. */
  public double cancel(int flow) {
    settle();
    Flow cancelled = flow(flow);
    remove(cancelled);
    freeIds.add(flow);
    change();
    return cancelled.bytesLeft;
  }

  /** Bytes per second as divided at the end of the last instant with a change. */
  public double rate(int flow) {
    return flow(flow).rate;
  }

  /** Bytes that have not arrived by now. */
  public double bytesLeft(int flow) {
    settle();
    return flow(flow).bytesLeft;
  }

  /** Units per second in use, as divided at the end of the last instant with a change. */
  public double used(int resource) {
    return resources.get(resource).used;
  }

  /** Units that went through the resource until now. */
  public double unitsMoved(int resource) {
    settle();
    return resources.get(resource).unitsMoved;
  }

  /** Seconds until now in which something went through the resource. */
  public double busySeconds(int resource) {
    settle();
    return resources.get(resource).busySeconds;
  }

  /** Flows that have started and not ended. */
  public int flowCount() {
    return live.size();
  }

  /** Flows that ended by themselves. */
  public long finishedFlows() {
    return finishedFlows;
  }

  /**
   * Checks that no resource gives more than it has and that every flow has its greatest rate or a
   * bottleneck, a full resource on which no flow is faster.
   *
   * @throws IllegalStateException with the broken invariant
   */
  public void check() {
    if (isStale) {
      return;
    }
    for (int i = 0; i < resources.size(); i++) {
      double capacity = capacity(resources.get(i));
      if (used(i) > capacity * (1 + TOLERANCE)) {
        throw new IllegalStateException(
            "resource " + i + " gives " + used(i) + " units per second of " + capacity);
      }
    }
    for (Flow flow : live) {
      if (flow.rate < flow.rateMax * (1 - TOLERANCE) && !hasBottleneck(flow)) {
        throw new IllegalStateException(
            "flow " + flow.id + " has a rate of " + flow.rate + " and no bottleneck");
      }
    }
  }

  private static boolean hasBottleneck(Flow flow) {
    for (int i = 0; i < flow.resources.length; i++) {
      Resource resource = flow.resources[i];
      if (flow.unitsPerByte[i] > 0
          && resource.used >= capacity(resource) * (1 - TOLERANCE)
          && resource.flows.stream().allMatch(other -> other.rate <= flow.rate * (1 + TOLERANCE))) {
        return true;
      }
    }
    return flow.rate == Double.POSITIVE_INFINITY;
  }

  private Flow flow(int id) {
    Flow flow = flows.get(id);
    if (flow == null) {
      throw new IllegalArgumentException("no flow " + id);
    }
    return flow;
  }

  private void change() {
    isStale = true;
    engine.requestInstantEnd(instantEnd);
  }

  private static double capacity(Resource resource) {
    return resource.curve == null || resource.flows.isEmpty()
        ? resource.capacity
        : resource.curve.unitsPerSecond(resource.flows.size());
  }

  /** Lets all flows move until now. */
  private void settle() {
    double seconds = Ticks.toSeconds(engine.now() - settledTick);
    if (seconds > 0) {
      for (Flow flow : live) {
        flow.bytesLeft = Math.max(0, flow.bytesLeft - flow.rate * seconds);
      }
      for (Resource resource : resources) {
        resource.unitsMoved += resource.used * seconds;
        resource.busySeconds += resource.used > 0 ? seconds : 0;
      }
    }
    settledTick = engine.now();
  }

  private void finishDue() {
    settle();
    List<Flow> due = new ArrayList<>();
    for (Flow flow : live) {
      if (flow.finishTick <= engine.now()) {
        due.add(flow);
      }
    }
    change();
    for (Flow flow : due) {
      if (flows.get(flow.id) == flow) {
        remove(flow);
        finishedFlows++;
        listener.flowFinished(flow.id, flow.tag);
        freeIds.add(flow.id);
      }
    }
  }

  private void remove(Flow flow) {
    flows.set(flow.id, null);
    live.remove(flow);
    for (Resource resource : flow.resources) {
      resource.flows.remove(flow);
    }
  }

  /** Progressive filling: all rates rise together; who meets a full resource or its limit stays. */
  private void divide() {
    settle();
    isStale = false;
    for (Flow flow : live) {
      flow.isFrozen = false;
    }
    for (Resource resource : resources) {
      resource.residual = capacity(resource);
      resource.demand = 0;
    }
    for (Flow flow : live) {
      for (int i = 0; i < flow.resources.length; i++) {
        flow.resources[i].demand += flow.unitsPerByte[i];
      }
    }
    List<Flow> rising = new ArrayList<>(live);
    while (!rising.isEmpty()) {
      double level = Double.POSITIVE_INFINITY;
      for (Flow flow : rising) {
        level = Math.min(level, levelMax(flow));
      }
      for (Flow flow : rising) {
        if (levelMax(flow) <= level * (1 + 1e-14)) {
          flow.rate = level;
          flow.isFrozen = true;
        }
      }
      for (Flow flow : rising) {
        if (flow.isFrozen) {
          for (int i = 0; i < flow.resources.length; i++) {
            flow.resources[i].residual -= flow.unitsPerByte[i] * level;
          }
        }
      }
      rising.removeIf(flow -> flow.isFrozen);
      for (Resource resource : resources) {
        resource.demand = 0;
      }
      for (Flow flow : rising) {
        for (int i = 0; i < flow.resources.length; i++) {
          flow.resources[i].demand += flow.unitsPerByte[i];
        }
      }
    }
    schedule();
  }

  private static double levelMax(Flow flow) {
    double level = flow.rateMax;
    for (int i = 0; i < flow.resources.length; i++) {
      if (flow.unitsPerByte[i] > 0) {
        Resource resource = flow.resources[i];
        level = Math.min(level, Math.max(0, resource.residual) / resource.demand);
      }
    }
    return level;
  }

  private void schedule() {
    for (Resource resource : resources) {
      resource.used = 0;
    }
    long next = Ticks.NEVER;
    for (Flow flow : live) {
      double ticks = flow.bytesLeft == 0 ? 0 : flow.bytesLeft / flow.rate * Ticks.PER_SECOND;
      boolean ends = ticks < Ticks.NEVER - (double) engine.now();
      flow.finishTick = ends ? engine.now() + Math.round(ticks) : Ticks.NEVER;
      next = Math.min(next, flow.finishTick);
      for (int i = 0; i < flow.resources.length; i++) {
        if (flow.unitsPerByte[i] > 0) {
          flow.resources[i].used += flow.unitsPerByte[i] * flow.rate;
        }
      }
    }
    engine.setTimer(timer, next);
  }
}
