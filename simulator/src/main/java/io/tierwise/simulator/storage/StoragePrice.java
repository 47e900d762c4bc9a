package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;

/**
 * What a gigabyte costs on the devices that hold the data.
 *
 * <p>Source: HDFS_H, Eq. 12-13, for any number of devices. Deviation: shares are those of the bytes
 * that stand on each device, not the ratio that was asked for.
 */
public final class StoragePrice {
  private StoragePrice() {}

  /**
   * Σ over whole replicas: share of the stored bytes times the device's price of a gigabyte.
   *
   * @return dollars a gigabyte; not a number when nothing is stored
   */
  public static double dollarsPerGigabyte(Namespace namespace, VirtualCluster cluster) {
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
