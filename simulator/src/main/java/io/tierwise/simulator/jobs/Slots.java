package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Free task slots of one kind, by node. A free node is drawn at random at a constant cost. */
final class Slots {
  private final int[] free;
  private final int[] capacity;

  /** Nodes with a free slot, in no order, and where each node stands among them. */
  private final int[] nodes;

  private final int[] position;
  private final boolean[] down;

  /** The group of each node, and the free slots and all slots of those that are up. */
  private final int[] groups;

  private final int[] freeInGroup;
  private int upCount;
  private int nodeCount;

  /**
   * All slots are free.
   *
   * @param groups a number, from 0, for each node, by which free slots are counted
   */
  Slots(int[] capacity, int[] groups) {
    this.capacity = capacity.clone();
    this.free = capacity.clone();
    this.nodes = new int[capacity.length];
    this.position = new int[capacity.length];
    this.down = new boolean[capacity.length];
    this.groups = groups.clone();
    this.freeInGroup = new int[Arrays.stream(groups).max().orElse(0) + 1];
    for (int node = 0; node < capacity.length; node++) {
      position[node] = -1;
      freeInGroup[groups[node]] += free[node];
      upCount += free[node];
      if (free[node] > 0) {
        link(node);
      }
    }
  }

  boolean isFree(int node) {
    return position[node] >= 0;
  }

  /** Nodes that have a free slot. */
  int freeNodeCount() {
    return nodeCount;
  }

  /** Whether any node has one, free or not, up or down. */
  boolean areAny() {
    return Arrays.stream(capacity).anyMatch(slots -> slots > 0);
  }

  /** Slots that no task has, those of nodes that are down included. */
  int freeSlotCount() {
    return Arrays.stream(free).sum();
  }

  /** Free slots on the nodes of a group that are up. */
  int freeInGroup(int group) {
    return freeInGroup[group];
  }

  /** Slots, free or not, on all nodes that are up. */
  int upCount() {
    return upCount;
  }

  /** A node with a free slot, the emptier of two drawn; {@link ClusterView#NONE} without any. */
  int draw(RandomGenerator random) {
    if (nodeCount == 0) {
      return ClusterView.NONE;
    }
    int one = nodes[random.nextInt(nodeCount)];
    int other = nodes[random.nextInt(nodeCount)];
    return usedShare(other) < usedShare(one) ? other : one;
  }

  /** As {@link #draw}, of all nodes but one. */
  int drawBeside(RandomGenerator random, int left) {
    int choices = nodeCount - (isFree(left) ? 1 : 0);
    if (choices == 0) {
      return ClusterView.NONE;
    }
    int one = nodeBeside(random.nextInt(choices), left);
    int other = nodeBeside(random.nextInt(choices), left);
    return usedShare(other) < usedShare(one) ? other : one;
  }

  private int nodeBeside(int index, int left) {
    return nodes[isFree(left) && index >= position[left] ? index + 1 : index];
  }

  /**
   * Of two nodes the one with the smaller share of its slots in use, the first when they are equal;
   * never one without a free slot.
   *
   * @param first has a free slot, or is none
   */
  int emptier(int first, int second) {
    if (!isFree(second)) {
      return first;
    }
    return first == ClusterView.NONE || usedShare(second) < usedShare(first) ? second : first;
  }

  private double usedShare(int node) {
    return 1 - (double) free[node] / capacity[node];
  }

  void take(int node) {
    freeInGroup[groups[node]]--;
    if (--free[node] == 0) {
      unlink(node);
    }
  }

  void give(int node) {
    free[node]++;
    freeInGroup[groups[node]] += down[node] ? 0 : 1;
    if (position[node] < 0 && !down[node]) {
      link(node);
    }
  }

  /** Takes a node out, or puts it back; tasks that run there give their slots back as always. */
  void setDown(int node, boolean isDown) {
    if (down[node] != isDown) {
      int change = isDown ? -1 : 1;
      freeInGroup[groups[node]] += change * free[node];
      upCount += change * capacity[node];
    }
    down[node] = isDown;
    if (isDown && position[node] >= 0) {
      unlink(node);
    } else if (!isDown && position[node] < 0 && free[node] > 0) {
      link(node);
    }
  }

  private void link(int node) {
    position[node] = nodeCount;
    nodes[nodeCount++] = node;
  }

  private void unlink(int node) {
    int last = nodes[--nodeCount];
    nodes[position[node]] = last;
    position[last] = position[node];
    position[node] = -1;
  }
}
