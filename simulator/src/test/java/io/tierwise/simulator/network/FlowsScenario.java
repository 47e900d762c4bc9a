package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.engine.Ticks;
import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * The scenario on which flow simulators are compared: copies between the disks of a cluster of
 * racks of 20 nodes. A flow uses the source's disk (100 MB/s), the source's card (125 MB/s,
 * sending), the racks' uplinks (1500 MB/s each way) if the racks differ, and the target's card
 * (receiving). Latencies are zero. The same seed gives the same flows in every tool: see {@link
 * #line}.
 */
public final class FlowsScenario {
  /** How the flows arrive. */
  public enum Arrivals {
    /** A Poisson stream that loads the disks to 30% in the mean. */
    HALF(0.3),
    /** A Poisson stream that loads the disks to 60% in the mean. */
    STEADY(0.6),
    /** All at the start. */
    BURST(Double.POSITIVE_INFINITY);

    private final double load;

    Arrivals(double load) {
      this.load = load;
    }
  }

  /** Nodes of a rack. */
  public static final int RACK_NODES = 20;

  /** Resources on the longest path. */
  public static final int PATH_MAX = 5;

  private static final double DISK_BYTES_PER_SECOND = 100e6;
  private static final double CARD_BYTES_PER_SECOND = 125e6;
  private static final double UPLINK_BYTES_PER_SECOND = 1500e6;
  private static final double MEAN_BYTES = 64e6;
  private static final double LEAST_BYTES = 1e6;

  private final int nodeCount;
  private final long[] startTicks;
  private final int[] sources;
  private final int[] targets;
  private final double[] bytes;

  /** Draws {@code flowCount} flows between {@code nodeCount} nodes, of which there must be two. */
  public FlowsScenario(int nodeCount, int flowCount, Arrivals arrivals, long seed) {
    if (nodeCount < 2) {
      throw new IllegalArgumentException("flows between " + nodeCount + " nodes");
    }
    this.nodeCount = nodeCount;
    startTicks = new long[flowCount];
    sources = new int[flowCount];
    targets = new int[flowCount];
    bytes = new double[flowCount];
    RandomGenerator random = new RandomStreams(seed).stream("flows", nodeCount);
    double flowsPerSecond = arrivals.load * nodeCount * DISK_BYTES_PER_SECOND / MEAN_BYTES;
    double seconds = 0;
    for (int i = 0; i < flowCount; i++) {
      seconds += exponential(random) / flowsPerSecond;
      startTicks[i] = Ticks.ofSeconds(seconds);
      sources[i] = random.nextInt(nodeCount);
      targets[i] = (sources[i] + 1 + random.nextInt(nodeCount - 1)) % nodeCount;
      bytes[i] = Math.rint(Math.max(LEAST_BYTES, MEAN_BYTES * exponential(random)));
    }
  }

  private static double exponential(RandomGenerator random) {
    return -StrictMath.log(1 - random.nextDouble());
  }

  /** Nodes of the scenario. */
  public int nodeCount() {
    return nodeCount;
  }

  /** Flows of the scenario. */
  public int flowCount() {
    return bytes.length;
  }

  /** When flow {@code i} starts; later flows start no earlier. */
  public long startTick(int i) {
    return startTicks[i];
  }

  /** Whole bytes of flow {@code i}. */
  public double bytes(int i) {
    return bytes[i];
  }

  /** Makes the nodes' and racks' resources in the order that {@link #path} expects. */
  public void addResources(FlowNetwork network) {
    for (int resource = 0; resource < resourceCount(); resource++) {
      network.addResource(capacity(resource));
    }
  }

  /** Resources of the scenario. */
  public int resourceCount() {
    return 3 * nodeCount + 2 * rackCount();
  }

  /** Bytes per second of a resource. */
  public double capacity(int resource) {
    if (resource >= 3 * nodeCount) {
      return UPLINK_BYTES_PER_SECOND;
    }
    return resource % 3 == 0 ? DISK_BYTES_PER_SECOND : CARD_BYTES_PER_SECOND;
  }

  /** Writes the resources of flow {@code i} to {@code path}; returns how many they are. */
  public int path(int i, int[] path) {
    int sourceRack = sources[i] / RACK_NODES;
    int targetRack = targets[i] / RACK_NODES;
    int length = 0;
    path[length++] = 3 * sources[i];
    path[length++] = 3 * sources[i] + 1;
    if (sourceRack != targetRack) {
      path[length++] = 3 * nodeCount + 2 * sourceRack;
      path[length++] = 3 * nodeCount + 2 * targetRack + 1;
    }
    path[length++] = 3 * targets[i] + 2;
    return length;
  }

  /** Flow {@code i} as other tools read it: start in seconds, source, target, megabytes. */
  public String line(int i) {
    return String.format(
        Locale.ROOT,
        "%d.%012d,%d,%d,%.6f",
        startTicks[i] / Ticks.PER_SECOND,
        startTicks[i] % Ticks.PER_SECOND,
        sources[i],
        targets[i],
        bytes[i] / 1e6);
  }

  private int rackCount() {
    return (nodeCount + RACK_NODES - 1) / RACK_NODES;
  }
}
