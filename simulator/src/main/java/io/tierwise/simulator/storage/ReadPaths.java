package io.tierwise.simulator.storage;

import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;

/** The resources through which the replicas of one block are read; for strategies that ask. */
final class ReadPaths {
  private final VirtualCluster cluster;
  private final Paths paths;
  private final PathBuffer[] found;
  private final boolean[] isFound;

  /**
   * @param replicas how many a block has at most
   */
  ReadPaths(VirtualCluster cluster, int replicas) {
    this.cluster = cluster;
    this.paths = new Paths(cluster);
    this.found = new PathBuffer[replicas];
    this.isFound = new boolean[replicas];
  }

  /** From here on another block, or another reader. */
  void clear() {
    Arrays.fill(isFound, false);
  }

  /** Device, then links; those that are never the limit are left out. */
  PathBuffer of(int replica, int volume, int readerNode) {
    if (!isFound[replica]) {
      isFound[replica] = true;
      if (found[replica] == null) {
        found[replica] = new PathBuffer();
      }
      found[replica].clear();
      paths.readDevice(found[replica], volume, 1, 1);
      paths.connect(found[replica], cluster.nodeOfVolume(volume), readerNode, 1);
    }
    return found[replica];
  }
}
