package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.measure.RunResult;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** How the data stands when a run is over: on which sets of nodes, on devices of which price. */
public final class StoredAtEnd {
  private StoredAtEnd() {}

  public static RunResult.AtEnd of(Namespace namespace, VirtualCluster cluster) {
    FileSpread spread = new FileSpread(namespace, cluster);
    return new RunResult.AtEnd(
        NodeSets.count(namespace, cluster),
        spread.nodesMean(),
        spread.fullestRackShareMean(),
        dollarsPerGigabyte(namespace, cluster));
  }

  /**
   * Σ over whole replicas: share of the stored bytes times the device's price of a gigabyte.
   *
   * <p>Source: HDFS_H, Eq. 12-13, for any number of devices. Deviation: shares are those of the
   * bytes that stand on each device, not the ratio that was asked for.
   */
  private static double dollarsPerGigabyte(Namespace namespace, VirtualCluster cluster) {
    long[] bytesOfVolume = new long[cluster.volumeCount()];
    for (StoredFile file : namespace.files()) {
      for (int index = 0; index < file.blockCount(); index++) {
        for (int i = 0; i < namespace.slotCount(); i++) {
          int volume = namespace.wholeReplica(file.block(index), i);
          if (volume != ClusterView.NONE) {
            bytesOfVolume[volume] += file.blockBytes(index);
          }
        }
      }
    }
    // Bytes of one price first: where all cost the same, the mean is that price to the last digit.
    Map<Double, Long> bytesOfPrice = new TreeMap<>();
    for (int volume = 0; volume < bytesOfVolume.length; volume++) {
      double price = cluster.volume(volume).device().dollarsPerGigabyte();
      bytesOfPrice.merge(price, bytesOfVolume[volume], Long::sum);
    }
    double all = (double) Arrays.stream(bytesOfVolume).sum();
    double dollars = 0;
    for (Map.Entry<Double, Long> each : bytesOfPrice.entrySet()) {
      dollars += (double) each.getValue() / all * each.getKey();
    }
    return dollars;
  }
}
