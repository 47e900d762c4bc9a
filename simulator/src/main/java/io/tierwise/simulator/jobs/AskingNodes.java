package io.tierwise.simulator.jobs;

import io.tierwise.core.work.Nearness;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * The order in which nodes ask for work, which stays the same during a run, as heartbeats do; and
 * the nodes that ask for a job's maps in turn.
 */
final class AskingNodes {
  private final Slots mapSlots;
  private final int[] order;

  /** Where each node stands in the order. */
  private final int[] place;

  private final int[] asking;
  private int count;

  AskingNodes(Slots mapSlots, int nodeCount, RandomGenerator random) {
    this.mapSlots = mapSlots;
    this.order = new int[nodeCount];
    for (int i = 0; i < nodeCount; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
    this.place = new int[nodeCount];
    for (int i = 0; i < nodeCount; i++) {
      place[order[i]] = i;
    }
    this.asking = new int[nodeCount];
  }

  /** All nodes, in the order in which they ask. */
  int[] order() {
    return order;
  }

  /**
   * Nodes with free map slots ask for maps, from a place in the order on. Those without data of the
   * job take none near their data: where these are most, they are not gone through.
   */
  void ask(PendingMaps maps, int first, Nearness farthest) {
    count = 0;
    if (farthest == Nearness.ON_NODE && maps.isOnFewNodes()) {
      for (int node : fromPlace(maps.nodes(), first)) {
        add(node);
      }
    } else {
      for (int i = 0; i < order.length && count < mapSlots.freeNodeCount(); i++) {
        add(order[(first + i) % order.length]);
      }
    }
  }

  private void add(int node) {
    if (mapSlots.isFree(node)) {
      asking[count++] = node;
    }
  }

  /** The nodes in the order in which they ask when the one at {@code first} begins. */
  private int[] fromPlace(int[] nodes, int first) {
    long[] keys = new long[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      int turn = (place[nodes[i]] - first + order.length) % order.length;
      keys[i] = (long) turn << Integer.SIZE | nodes[i];
    }
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  boolean isAnyLeft() {
    return count > 0;
  }

  /** Each has its turn; only those that it returns true for ask again. */
  void takeTurns(IntPredicate turn) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (turn.test(asking[i])) {
        asking[kept++] = asking[i];
      }
    }
    count = kept;
  }
}
