package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.Arrays;

/**
 * The different sets of nodes that hold all replicas of some block. Data is lost when all nodes of
 * one of them fail, however many blocks it holds: few sets are few ways to lose data.
 */
final class NodeSets {
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final long SECOND_MIX = 0xBF58476D1CE4E5B9L;

  private NodeSets() {}

  /**
   * Counts the sets of all blocks that are stored now; a replica that is being copied is none yet.
   *
   * <p>Own: a set is known by a hash of 64 bits; of ten million different ones two have the same in
   * one of 370,000 runs.
   *
   * @return the i-th: sets of i nodes; that of no nodes is not counted
   */
  static long[] count(Namespace namespace, VirtualCluster cluster) {
    int sizeMax = namespace.slotCount();
    long[][] hashes = new long[sizeMax + 1][16];
    int[] counts = new int[sizeMax + 1];
    int[] nodes = new int[sizeMax];
    for (StoredFile file : namespace.files()) {
      for (int index = 0; index < file.blockCount(); index++) {
        int size = nodesOf(file.block(index), namespace, cluster, nodes);
        if (counts[size] == hashes[size].length) {
          hashes[size] = Arrays.copyOf(hashes[size], 2 * counts[size]);
        }
        hashes[size][counts[size]++] = hash(nodes, size);
      }
    }
    long[] sets = new long[sizeMax + 1];
    for (int size = 1; size <= sizeMax; size++) {
      sets[size] = distinct(hashes[size], counts[size]);
    }
    return sets;
  }

  private static long distinct(long[] values, int count) {
    Arrays.sort(values, 0, count);
    long distinct = count == 0 ? 0 : 1;
    for (int i = 1; i < count; i++) {
      distinct += values[i] == values[i - 1] ? 0 : 1;
    }
    return distinct;
  }

  /** Writes the nodes of a block's whole replicas in order, each once; returns how many. */
  private static int nodesOf(int block, Namespace namespace, VirtualCluster cluster, int[] nodes) {
    int size = 0;
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.wholeReplica(block, i);
      if (volume != ClusterView.NONE) {
        size = insert(nodes, size, cluster.nodeOfVolume(volume));
      }
    }
    return size;
  }

  private static int insert(int[] nodes, int size, int node) {
    int at = size;
    while (at > 0 && nodes[at - 1] > node) {
      at--;
    }
    if (at > 0 && nodes[at - 1] == node) {
      return size;
    }
    System.arraycopy(nodes, at, nodes, at + 1, size - at);
    nodes[at] = node;
    return size + 1;
  }

  private static long hash(int[] nodes, int size) {
    long hash = 0;
    for (int i = 0; i < size; i++) {
      hash = (hash ^ (nodes[i] + 1)) * MIX;
      hash = (hash ^ hash >>> 32) * SECOND_MIX;
    }
    return hash;
  }
}
