package io.tierwise.simulator.cluster;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The resource that each link, memory and set of processors is in the network.
 *
 * <p>A link that can never be the limit is left out: flows do not have it in their paths. An uplink
 * that carries at least what all links behind it bring together leaves every rate as it is, because
 * all that goes through it goes through one of them, at the same rate. Nothing makes those faster,
 * but a fault may make the uplink slower: uplinks that one names stay.
 */
final class Links {
  private final int[] nodeUp;
  private final int[] nodeDown;
  private final int[] memory;
  private final int[] processors;
  private final int[] streams;
  private final int[] rackUp;
  private final int[] rackDown;
  private final int[] regionUp;
  private final int[] regionDown;
  private final FlowNetwork network;
  private final Map<Integer, Double> bytesPerSecond = new LinkedHashMap<>();

  /**
   * Adds the links of a cluster.
   *
   * @param nodes by their ids in the view
   * @param slowed names of what faults slow
   * @param streamsCost whether streams take cycles
   */
  Links(
      ClusterSpec spec,
      NodeSpec[] nodes,
      ClusterView view,
      Set<String> slowed,
      boolean streamsCost,
      FlowNetwork network) {
    this.network = network;
    this.nodeUp = new int[nodes.length];
    this.nodeDown = new int[nodes.length];
    this.memory = new int[nodes.length];
    this.processors = new int[nodes.length];
    this.streams = new int[nodes.length];
    double[] intoRack = new double[view.rackCount()];
    for (int node = 0; node < nodes.length; node++) {
      addNode(node, nodes[node], streamsCost);
      intoRack[view.rackOfNode(node)] += nodes[node].linkBytesPerSecond();
    }
    this.rackUp = new int[view.rackCount()];
    this.rackDown = new int[view.rackCount()];
    double[] intoRegion = new double[view.regionCount()];
    for (int rack = 0; rack < rackUp.length; rack++) {
      Rack described = rackNamed(spec, view.rackName(rack));
      double uplink = described.uplinkBytesPerSecond();
      boolean limits = uplink < intoRack[rack] || slowed.contains(described.name());
      addPair(rackUp, rackDown, rack, limits ? uplink : Double.POSITIVE_INFINITY);
      intoRegion[view.regionOfRack(rack)] += Math.min(uplink, intoRack[rack]);
    }
    this.regionUp = new int[view.regionCount()];
    this.regionDown = new int[view.regionCount()];
    for (int region = 0; region < regionUp.length; region++) {
      double uplink = spec.regionUplinkBytesPerSecond();
      boolean limits = uplink < intoRegion[region];
      addPair(regionUp, regionDown, region, limits ? uplink : Double.POSITIVE_INFINITY);
    }
  }

  private static Rack rackNamed(ClusterSpec spec, String name) {
    return spec.racks().stream().filter(rack -> rack.name().equals(name)).findFirst().orElseThrow();
  }

  private void addNode(int node, NodeSpec kind, boolean streamsCost) {
    addPair(nodeUp, nodeDown, node, kind.linkBytesPerSecond());
    memory[node] = link(kind.memoryBytesPerSecond());
    double cyclesPerSecond = kind.cores() * kind.cyclesPerSecond();
    // Tasks that cannot outnumber the cores never share one.
    boolean shared = streamsCost || kind.mapSlots() + kind.reduceSlots() > kind.cores();
    processors[node] = shared ? network.addResource(cyclesPerSecond) : VirtualCluster.UNLIMITED;
    streams[node] = streamsCost ? network.addResource(cyclesPerSecond) : VirtualCluster.UNLIMITED;
  }

  private void addPair(int[] up, int[] down, int index, double rate) {
    up[index] = link(rate);
    down[index] = link(rate);
  }

  private int link(double rate) {
    if (Double.isInfinite(rate)) {
      return VirtualCluster.UNLIMITED;
    }
    int resource = network.addResource(rate);
    bytesPerSecond.put(resource, rate);
    return resource;
  }

  /** The capacity of a link when nothing slows it. */
  double bytesPerSecond(int link) {
    return bytesPerSecond.get(link);
  }

  int nodeUp(int node) {
    return nodeUp[node];
  }

  int nodeDown(int node) {
    return nodeDown[node];
  }

  int memory(int node) {
    return memory[node];
  }

  int processors(int node) {
    return processors[node];
  }

  int streams(int node) {
    return streams[node];
  }

  int rackUp(int rack) {
    return rackUp[rack];
  }

  int rackDown(int rack) {
    return rackDown[rack];
  }

  int regionUp(int region) {
    return regionUp[region];
  }

  int regionDown(int region) {
    return regionDown[region];
  }
}
