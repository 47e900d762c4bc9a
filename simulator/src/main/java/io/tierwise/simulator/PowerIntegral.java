package io.tierwise.simulator;

import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.VirtualCluster.Volume;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.jobs.Computing;
import io.tierwise.simulator.jobs.JobTracker;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import java.util.Arrays;

/**
 * The joules of the devices and of each node, summed up from their power after each event, beside
 * those that the run reports. These come from the seconds in which the network was busy, and from
 * the bytes that tasks computed on, which are counted when a transfer is over.
 */
final class PowerIntegral {
  /** Own: sums of millions of short intervals have another order than what they are compared to. */
  private static final double TOLERANCE = 1e-6;

  private final TaskContext context;
  private final JobTracker tracker;
  private final VirtualCluster cluster;
  private final double[] nodeJoules;
  private final double[] nodeWatts;

  /** Nodes whose tasks computed on more cores than there are: they report what the cores took. */
  private final boolean[] crowded;

  private double joules;
  private double watts;
  private long tick = Ticks.NEVER;

  PowerIntegral(TaskContext context, JobTracker tracker) {
    this.context = context;
    this.tracker = tracker;
    this.cluster = context.cluster();
    this.nodeJoules = new double[cluster.nodeCount()];
    this.nodeWatts = new double[cluster.nodeCount()];
    this.crowded = new boolean[cluster.nodeCount()];
  }

  /**
   * Checks what devices and nodes took since the first call.
   *
   * @throws IllegalStateException when two sums differ
   */
  void check() {
    long now = context.engine().now();
    double seconds = Ticks.toSeconds(now);
    boolean isFirst = tick == Ticks.NEVER;
    double passed = isFirst ? 0 : Ticks.toSeconds(now - tick);
    tick = now;
    checkDevices(isFirst, seconds, passed);
    Computing computing = tracker.computing();
    for (int node = 0; node < nodeJoules.length; node++) {
      checkNode(node, computing, isFirst, seconds, passed);
    }
  }

  private void checkDevices(boolean isFirst, double seconds, double passed) {
    double reported = Arrays.stream(context.costs().cost(seconds).deviceJoulesByClass()).sum();
    joules = isFirst ? reported : joules + watts * passed;
    watts = deviceWatts();
    if (differ(reported, joules)) {
      throw new IllegalStateException(
          "devices took " + joules + " J by their power, " + reported + " J by their busy time");
    }
  }

  private void checkNode(
      int node, Computing computing, boolean isFirst, double seconds, double passed) {
    NodeSpec spec = cluster.node(node);
    double wattsPerCore = (spec.wattsBusy() - spec.wattsIdle()) / spec.cores();
    double reported =
        context.costs().nodeJoules(node, seconds)
            + wattsPerCore * computing.uncountedCoreSeconds(node);
    nodeJoules[node] = isFirst ? reported : nodeJoules[node] + nodeWatts[node] * passed;
    double cores = computing.cores(node) + coresOfStreams(node);
    nodeWatts[node] = spec.wattsIdle() + wattsPerCore * cores;
    crowded[node] |= cores > spec.cores() * (1 + TOLERANCE);
    boolean isLess = crowded[node] && reported < nodeJoules[node];
    if (!isLess && differ(reported, nodeJoules[node])) {
      throw new IllegalStateException(
          "node "
              + node
              + " took "
              + nodeJoules[node]
              + " J by its power, "
              + reported
              + " J by what its tasks computed");
    }
  }

  private double coresOfStreams(int node) {
    int cycles = cluster.streamCycles(node);
    return cycles == VirtualCluster.UNLIMITED
        ? 0
        : context.transfers().network().used(cycles) / cluster.node(node).cyclesPerSecond();
  }

  private static boolean differ(double reported, double integral) {
    return Math.abs(reported - integral) > TOLERANCE * Math.max(1, integral);
  }

  private double deviceWatts() {
    double sum = 0;
    for (int v = 0; v < cluster.volumeCount(); v++) {
      Volume volume = cluster.volume(v);
      boolean busy = context.transfers().network().used(volume.resource()) > 0;
      sum += busy ? volume.device().wattsActive() : volume.device().wattsIdle();
    }
    return sum;
  }
}
