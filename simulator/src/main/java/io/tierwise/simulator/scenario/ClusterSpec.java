package io.tierwise.simulator.scenario;

import java.util.List;

/**
 * Machines and what connects them.
 *
 * @param racks in order; their nodes are numbered in order, from 0
 * @param regionUplinkBytesPerSecond each way between a region and the others; infinite for none
 * @param latencySeconds of one transfer between nodes
 * @param prices of what belongs to no machine
 */
public record ClusterSpec(
    List<Rack> racks, double regionUplinkBytesPerSecond, double latencySeconds, Prices prices) {
  public ClusterSpec {
    racks = List.copyOf(racks);
  }

  /** A cluster whose network and electricity cost nothing. */
  public ClusterSpec(List<Rack> racks, double regionUplinkBytesPerSecond, double latencySeconds) {
    this(racks, regionUplinkBytesPerSecond, latencySeconds, Prices.NONE);
  }

  /** US dollars of a port of the network, and of a kilowatt hour. */
  public record Prices(double dollarsPerPort, double dollarsPerKilowattHour) {
    public static final Prices NONE = new Prices(0, 0);
  }

  /**
   * A rack.
   *
   * @param region name of its region
   * @param uplinkBytesPerSecond each way between the rack and the others; infinite for none
   */
  public record Rack(
      String name, String region, double uplinkBytesPerSecond, List<NodeGroup> groups) {
    public Rack {
      groups = List.copyOf(groups);
    }
  }

  /** {@code count} equal nodes. */
  public record NodeGroup(NodeSpec node, int count) {}

  /**
   * One kind of machine.
   *
   * @param name of the kind
   * @param cyclesPerSecond of each core
   * @param pageCacheBytes room for cached file data
   * @param writeBufferBytes dirty bytes at which writers wait for the devices
   * @param writeBackgroundBytes dirty bytes above which devices write what is dirty, old or not
   * @param memoryBytesPerSecond at which cached data is read and buffered data is written, in all
   * @param mapSlots map tasks at a time
   * @param reduceSlots reduce tasks at a time
   * @param linkBytesPerSecond each way
   * @param wattsIdle without its devices
   * @param wattsBusy with all cores busy, without its devices
   * @param dollars without its devices
   * @param ports of the network that its link takes; need not be whole: bonded ones may be counted
   *     by the bandwidth that they bring (DerbyhatS, section 3.2)
   * @param taskMemoryBytes memory for tasks; {@link #UNLIMITED} where none is counted
   */
  public record NodeSpec(
      String name,
      int cores,
      double cyclesPerSecond,
      long pageCacheBytes,
      long writeBufferBytes,
      long writeBackgroundBytes,
      double memoryBytesPerSecond,
      int mapSlots,
      int reduceSlots,
      double linkBytesPerSecond,
      double wattsIdle,
      double wattsBusy,
      double dollars,
      double ports,
      long taskMemoryBytes,
      List<VolumeGroup> volumes) {
    /** As much memory as any tasks hold. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    public NodeSpec {
      volumes = List.copyOf(volumes);
    }

    /**
     * A kind whose tasks' memory is not counted, and whose devices write when half of the buffer is
     * dirty.
     */
    public NodeSpec(
        String name,
        int cores,
        double cyclesPerSecond,
        long pageCacheBytes,
        long writeBufferBytes,
        double memoryBytesPerSecond,
        int mapSlots,
        int reduceSlots,
        double linkBytesPerSecond,
        double wattsIdle,
        double wattsBusy,
        double dollars,
        double ports,
        List<VolumeGroup> volumes) {
      this(
          name,
          cores,
          cyclesPerSecond,
          pageCacheBytes,
          writeBufferBytes,
          writeBufferBytes / 2,
          memoryBytesPerSecond,
          mapSlots,
          reduceSlots,
          linkBytesPerSecond,
          wattsIdle,
          wattsBusy,
          dollars,
          ports,
          UNLIMITED,
          volumes);
    }
  }

  /**
   * {@code count} equal devices of a node.
   *
   * @param data whether they hold HDFS data
   * @param temporary whether they hold map output and other intermediate data
   */
  public record VolumeGroup(
      DeviceSpec device, int count, long capacityBytes, boolean data, boolean temporary) {}
}
