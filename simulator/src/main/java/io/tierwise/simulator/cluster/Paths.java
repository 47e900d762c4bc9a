package io.tierwise.simulator.cluster;

import io.tierwise.simulator.cluster.VirtualCluster.Volume;

/** The paths of all kinds of transfer. */
public final class Paths {
  private final VirtualCluster cluster;
  private final Links links;

  public Paths(VirtualCluster cluster) {
    this.cluster = cluster;
    this.links = cluster.links();
  }

  /**
   * Adds a stream between two nodes: the threads at its ends, and the links; no link for a node and
   * itself.
   */
  public Paths connect(PathBuffer path, int from, int to, double units) {
    if (!cluster.streams().areNone()) {
      addThreads(path, from, to, units);
    }
    if (from == to) {
      return this;
    }
    path.add(links.nodeUp(from), units);
    int fromRack = cluster.rackOf(from);
    int toRack = cluster.rackOf(to);
    if (fromRack != toRack) {
      path.add(links.rackUp(fromRack), units);
      path.add(links.rackDown(toRack), units);
      int fromRegion = cluster.regionOf(from);
      int toRegion = cluster.regionOf(to);
      if (fromRegion != toRegion) {
        path.add(links.regionUp(fromRegion), units);
        path.add(links.regionDown(toRegion), units);
      }
    }
    path.add(links.nodeDown(to), units);
    return this;
  }

  private void addThreads(PathBuffer path, int from, int to, double units) {
    double sending = units * cluster.streams().sendCyclesPerByte();
    double receiving = units * cluster.streams().receiveCyclesPerByte();
    stream(path, from, sending);
    stream(path, to, receiving);
    path.addHop(
        sending / cluster.node(from).cyclesPerSecond(),
        receiving / cluster.node(to).cyclesPerSecond());
  }

  /** Streams share the cores with tasks; what they take of them is counted apart. */
  private void stream(PathBuffer path, int node, double cyclesPerByte) {
    if (cyclesPerByte > 0) {
      path.add(links.processors(node), cyclesPerByte);
      path.add(links.streams(node), cyclesPerByte);
    }
  }

  /** Adds a read from a device, which seeks once for each {@code bytes}. */
  public Paths readDevice(PathBuffer path, int volume, double bytes, double share) {
    Volume from = cluster.volume(volume);
    path.add(from.resource(), share * from.readUnitsPerByte(bytes));
    return this;
  }

  /** Adds a write to a device, which seeks once for each {@code bytes}. */
  public Paths writeDevice(PathBuffer path, int volume, double bytes, double share) {
    Volume to = cluster.volume(volume);
    path.add(to.resource(), share * to.writeUnitsPerByte(bytes));
    return this;
  }

  /** Adds a read from, or a write to, a node's memory. */
  public Paths memory(PathBuffer path, int node, double share) {
    path.add(links.memory(node), share);
    return this;
  }

  /** Adds computing on a node whose tasks share its cores. */
  public Paths compute(PathBuffer path, int node, double cyclesPerByte) {
    if (cyclesPerByte > 0) {
      path.add(links.processors(node), cyclesPerByte);
    }
    return this;
  }

  /** Both ends of a node's link, to slow it down; may be {@link VirtualCluster#UNLIMITED}. */
  public int[] linkOf(int node) {
    return new int[] {links.nodeUp(node), links.nodeDown(node)};
  }

  /** Both ends of a rack's uplink; may be {@link VirtualCluster#UNLIMITED}. */
  public int[] uplinkOf(int rack) {
    return new int[] {links.rackUp(rack), links.rackDown(rack)};
  }
}
