package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.ToDoubleFunction;

/** How the replicas of a file spread over nodes and racks; one that is being copied is none yet. */
final class FileSpread {
  private final Namespace namespace;
  private final VirtualCluster cluster;

  FileSpread(Namespace namespace, VirtualCluster cluster) {
    this.namespace = namespace;
    this.cluster = cluster;
  }

  /** Nodes that hold some of a file, the mean over files with replicas; not a number without. */
  double nodesMean() {
    return mean(this::nodes);
  }

  /** The share of a file's replicas, by bytes, in the rack that has most of them; likewise. */
  double fullestRackShareMean() {
    return mean(this::fullestRackShare);
  }

  private double mean(ToDoubleFunction<StoredFile> of) {
    return namespace.files().stream()
        .mapToDouble(of)
        .filter(value -> value > 0)
        .average()
        .orElse(Double.NaN);
  }

  private double nodes(StoredFile file) {
    BitSet nodes = new BitSet();
    forEachReplica(file, (index, node) -> nodes.set(node));
    return nodes.cardinality();
  }

  private double fullestRackShare(StoredFile file) {
    long[] bytes = new long[cluster.view().rackCount()];
    forEachReplica(file, (index, node) -> bytes[cluster.rackOf(node)] += file.blockBytes(index));
    long all = Arrays.stream(bytes).sum();
    return all == 0 ? 0 : (double) Arrays.stream(bytes).max().orElse(0) / all;
  }

  /** Takes a replica. */
  @FunctionalInterface
  private interface Replicas {
    void accept(int index, int node);
  }

  private void forEachReplica(StoredFile file, Replicas replicas) {
    for (int index = 0; index < file.blockCount(); index++) {
      for (int i = 0; i < namespace.slotCount(); i++) {
        int volume = namespace.wholeReplica(file.block(index), i);
        if (volume != ClusterView.NONE) {
          replicas.accept(index, cluster.nodeOfVolume(volume));
        }
      }
    }
  }
}
