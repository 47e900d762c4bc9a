package io.tierwise.simulator.measure;

import io.tierwise.simulator.cluster.VirtualCluster;

/** Counts bytes between nodes by how far they go. What stays inside a node is not counted. */
public final class SentBytes {
  private final VirtualCluster cluster;
  private long bytes;
  private long crossRackBytes;
  private long crossRegionBytes;

  SentBytes(VirtualCluster cluster) {
    this.cluster = cluster;
  }

  SentBytes copy() {
    SentBytes copy = new SentBytes(cluster);
    copy.bytes = bytes;
    copy.crossRackBytes = crossRackBytes;
    copy.crossRegionBytes = crossRegionBytes;
    return copy;
  }

  /** Bytes went from one node to another. */
  public void add(int from, int to, long sent) {
    if (from == to) {
      return;
    }
    bytes += sent;
    if (cluster.rackOf(from) != cluster.rackOf(to)) {
      crossRackBytes += sent;
      if (cluster.regionOf(from) != cluster.regionOf(to)) {
        crossRegionBytes += sent;
      }
    }
  }

  long bytes() {
    return bytes;
  }

  long crossRackBytes() {
    return crossRackBytes;
  }

  long crossRegionBytes() {
    return crossRegionBytes;
  }
}
