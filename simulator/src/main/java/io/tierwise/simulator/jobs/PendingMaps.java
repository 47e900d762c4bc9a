package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import java.util.Arrays;

/**
 * A job's maps that wait for a slot, by the nodes that hold their data: 4 bytes a node, 4 a map and
 * replica, 5 a map. Taking one costs the same whatever the job's size.
 */
final class PendingMaps {
  private static final int NONE = -1;

  private final int replication;
  private final int[] firstOfNode;
  private final int[] nextOfEntry;
  private final int[] stack;
  private final boolean[] waiting;
  private int stackSize;
  private int count;

  /**
   * Nothing waits yet.
   *
   * @param nodeCount nodes of the cluster
   */
  PendingMaps(int mapCount, int replication, int nodeCount) {
    this.replication = replication;
    this.firstOfNode = new int[nodeCount];
    this.nextOfEntry = new int[Math.multiplyExact(mapCount, replication)];
    this.stack = new int[mapCount];
    this.waiting = new boolean[mapCount];
    Arrays.fill(firstOfNode, NONE);
  }

  /** A map waits; it was not waiting before. */
  void add(int map) {
    if (stackSize == stack.length) {
      compact();
    }
    waiting[map] = true;
    count++;
    stack[stackSize++] = map;
  }

  /** Drops what no longer waits; a map that waits again stands in it once. */
  private void compact() {
    boolean[] seen = new boolean[waiting.length];
    int kept = 0;
    for (int i = 0; i < stackSize; i++) {
      int map = stack[i];
      if (waiting[map] && !seen[map]) {
        seen[map] = true;
        stack[kept++] = map;
      }
    }
    stackSize = kept;
  }

  /** A waiting map's data lies on {@code node}; {@code replica} numbers its replicas. */
  void addLocation(int map, int replica, int node) {
    int entry = map * replication + replica;
    nextOfEntry[entry] = firstOfNode[node];
    firstOfNode[node] = entry;
  }

  int count() {
    return count;
  }

  /** Whether a map waits whose data lies on the node. */
  boolean isWaitingOn(int node) {
    while (firstOfNode[node] != NONE) {
      if (waiting[firstOfNode[node] / replication]) {
        return true;
      }
      firstOfNode[node] = nextOfEntry[firstOfNode[node]];
    }
    return false;
  }

  /** Takes a map whose data lies on the node; {@link ClusterView#NONE} when there is none. */
  int takeOn(int node) {
    if (!isWaitingOn(node)) {
      return ClusterView.NONE;
    }
    int map = firstOfNode[node] / replication;
    take(map);
    return map;
  }

  /** The map that was added last; {@link ClusterView#NONE} when none waits. */
  int last() {
    while (stackSize > 0 && !waiting[stack[stackSize - 1]]) {
      stackSize--;
    }
    return stackSize > 0 ? stack[stackSize - 1] : ClusterView.NONE;
  }

  /** Takes this map, which waits. */
  void take(int map) {
    waiting[map] = false;
    count--;
  }
}
