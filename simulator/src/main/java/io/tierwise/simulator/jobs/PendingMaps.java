package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.Nearness;
import java.util.Arrays;

/**
 * A job's maps that wait for a slot, by the nodes that hold their data: 4 bytes a map and replica,
 * 5 a map, and for the nodes 4 bytes each, or 16 to 32 a map and replica where that is less. Taking
 * one costs the same whatever the size of the job and of the cluster.
 */
final class PendingMaps {
  private static final int NONE = -1;

  /** Source: Knuth, The Art of Computer Programming 3, 6.4: 2^32 by the golden ratio. */
  private static final int MIX = 0x9E3779B9;

  private final int replication;

  /** By node, or where the job's data is on few of them, by place in {@link #nodes}. */
  private final int[] firstOfNode;

  /** The nodes with data, hashed; null where all nodes have a place. */
  private final int[] nodes;

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
    this.nextOfEntry = new int[Math.multiplyExact(mapCount, replication)];
    long places = 4L * Math.max(1, Integer.highestOneBit(nextOfEntry.length));
    this.nodes = places < nodeCount ? filled((int) places) : null;
    this.firstOfNode = filled(nodes == null ? nodeCount : nodes.length);
    this.stack = new int[mapCount];
    this.waiting = new boolean[mapCount];
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }

  /** The node's place, or that where it would be. */
  private int placeOf(int node) {
    if (nodes == null) {
      return node;
    }
    int mask = nodes.length - 1;
    int place = (node * MIX) >>> Integer.numberOfLeadingZeros(mask);
    while (nodes[place] != NONE && nodes[place] != node) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Whether its data is on few nodes of the cluster, so that {@link #nodes} names them. */
  boolean isOnFewNodes() {
    return nodes != null;
  }

  /** The nodes that have, or had, data of waiting maps, each once; in no order. */
  int[] nodes() {
    return Arrays.stream(nodes).filter(node -> node != NONE).toArray();
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
    int place = placeOf(node);
    if (nodes != null) {
      nodes[place] = node;
    }
    nextOfEntry[entry] = firstOfNode[place];
    firstOfNode[place] = entry;
  }

  int count() {
    return count;
  }

  /** Whether a map waits whose data lies on the node. */
  boolean isWaitingOn(int node) {
    int place = placeOf(node);
    while (firstOfNode[place] != NONE) {
      if (waiting[firstOfNode[place] / replication]) {
        return true;
      }
      firstOfNode[place] = nextOfEntry[firstOfNode[place]];
    }
    return false;
  }

  /** Whether a map waits whose data lies on the node or, where farther ones may run, any. */
  boolean isWaiting(int node, Nearness farthest) {
    return farthest == Nearness.ON_NODE ? isWaitingOn(node) : count > 0;
  }

  /** Takes a map whose data lies on the node; {@link ClusterView#NONE} when there is none. */
  int takeOn(int node) {
    if (!isWaitingOn(node)) {
      return ClusterView.NONE;
    }
    int map = firstOfNode[placeOf(node)] / replication;
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
