package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Ticks;

/**
 * The invariants of a divided network, worked out afresh from the flows: what resources give, who
 * has which bottleneck, who ends next. Says which one is broken and by whom.
 */
final class NetworkCheck {
  /** Own: a thousand times what the solver allows itself, since sums here have another order. */
  private static final double TOLERANCE = 1e-9;

  private final ResourceTable resources;
  private final LaneTable lanes;
  private final FlowTable flows;
  private final CompletionHeap completions;
  private final double[] given;
  private final double[] fastest;
  private final int[] flowsOn;

  NetworkCheck(
      ResourceTable resources, LaneTable lanes, FlowTable flows, CompletionHeap completions) {
    this.resources = resources;
    this.lanes = lanes;
    this.flows = flows;
    this.completions = completions;
    given = new double[resources.count()];
    fastest = new double[resources.count()];
    flowsOn = new int[resources.count()];
  }

  void check(int flowCount) {
    addUp();
    int[] weight = new int[lanes.idLimit()];
    int live = 0;
    for (int flow = 0; flow < flows.idLimit(); flow++) {
      if (flows.isLive(flow)) {
        live++;
        weight[flows.lane(flow)]++;
        checkNotBehindHead(flow);
      }
    }
    require(live == flowCount, "there are " + live + " flows, counted as " + flowCount);
    for (int lane = 0; lane < lanes.idLimit(); lane++) {
      require(
          lanes.weight(lane) == weight[lane],
          "lane " + lane + " has " + weight[lane] + " flows, counted as " + lanes.weight(lane));
      if (weight[lane] > 0) {
        checkRate(lane);
        checkEnd(lane);
      }
    }
    for (int resource = 0; resource < resources.count(); resource++) {
      checkResource(resource);
    }
    require(completions.isOrdered(), "the next ends are not in order");
  }

  private void addUp() {
    for (int lane = 0; lane < lanes.idLimit(); lane++) {
      int end = lanes.weight(lane) == 0 ? 0 : lanes.offset(lane) + lanes.length(lane);
      for (int i = lanes.offset(lane), cost = lanes.firstCost(lane); i < end; i++, cost++) {
        int resource = lanes.resource(i);
        double rate = LaneTable.finite(lanes.rate(lane));
        given[resource] += lanes.units(cost) * lanes.weight(lane) * rate;
        fastest[resource] = Math.max(fastest[resource], lanes.rate(lane));
        flowsOn[resource] += lanes.weight(lane);
      }
    }
  }

  private void checkResource(int resource) {
    double capacity = resources.capacity(resource);
    require(
        given[resource] <= capacity * (1 + TOLERANCE),
        "resource " + resource + " gives " + given[resource] + " units/s of " + capacity);
    double counted = resources.used(resource);
    double scale = capacity == Double.POSITIVE_INFINITY ? given[resource] : capacity;
    require(
        Math.abs(given[resource] - counted) <= scale * TOLERANCE,
        "resource " + resource + " gives " + given[resource] + ", counted as " + counted);
    require(
        flowsOn[resource] == resources.flowCount(resource),
        "resource "
            + resource
            + " has "
            + flowsOn[resource]
            + " flows, counted as "
            + resources.flowCount(resource));
  }

  private void checkRate(int lane) {
    double rate = lanes.rate(lane);
    require(rate <= lanes.rateMax(lane), "lane " + lane + " is faster than its limit: " + rate);
    boolean isBound = rate == lanes.rateMax(lane);
    int end = lanes.offset(lane) + lanes.length(lane);
    for (int i = lanes.offset(lane); i < end && !isBound; i++) {
      int resource = lanes.resource(i);
      isBound =
          given[resource] >= resources.capacity(resource) * (1 - TOLERANCE)
              && rate >= fastest[resource] * (1 - TOLERANCE);
    }
    require(isBound, "lane " + lane + " of rate " + rate + " has no bottleneck");
  }

  private void checkEnd(int lane) {
    double bytes = flows.target(lanes.head(lane)) - lanes.volume(lane);
    double ticks = bytes <= 0 ? 0 : bytes / lanes.rate(lane) * Ticks.PER_SECOND;
    double expected = lanes.since(lane) + ticks;
    long tick = completions.tick(lane);
    boolean isRight =
        tick == Ticks.NEVER
            ? !(expected < Ticks.NEVER)
            : Math.abs(expected - tick) <= 1 + expected * TOLERANCE;
    require(isRight, "lane " + lane + " ends at tick " + tick + " instead of " + expected);
  }

  private void checkNotBehindHead(int flow) {
    int head = lanes.head(flows.lane(flow));
    require(
        flows.target(head) <= flows.target(flow),
        "flow " + flow + " ends before flow " + head + ", which its lane has first");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
