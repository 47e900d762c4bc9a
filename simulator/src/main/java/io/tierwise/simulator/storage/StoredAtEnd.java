package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.measure.RunResult;

/** How the data stands when a run is over: on which sets of nodes, on devices of which price. */
public final class StoredAtEnd {
  private StoredAtEnd() {}

  public static RunResult.AtEnd of(Namespace namespace, VirtualCluster cluster) {
    return new RunResult.AtEnd(
        NodeSets.count(namespace, cluster), dollarsPerGigabyte(namespace, cluster));
  }

  /**
   * Σ over whole replicas: share of the stored bytes times the device's price of a gigabyte.
   *
   * <p>Source: HDFS_H, Eq. 12-13, for any number of devices. Deviation: shares are those of the
   * bytes that stand on each device, not the ratio that was asked for.
   */
  private static double dollarsPerGigabyte(Namespace namespace, VirtualCluster cluster) {
    double dollars = 0;
    double bytes = 0;
    for (StoredFile file : namespace.files()) {
      for (int index = 0; index < file.blockCount(); index++) {
        for (int i = 0; i < namespace.slotCount(); i++) {
          int volume = namespace.wholeReplica(file.block(index), i);
          if (volume != ClusterView.NONE) {
            bytes += file.blockBytes(index);
            dollars +=
                file.blockBytes(index) * cluster.volume(volume).device().dollarsPerGigabyte();
          }
        }
      }
    }
    return dollars / bytes;
  }
}
