package io.tierwise.simulator.storage;

import io.tierwise.policies.access.AfterRefusal;
import java.util.Arrays;

/** The nodes that refused one reader and that it asks last from then on. */
public final class AvoidedNodes {
  private static final int[] NONE = {};

  private int[] nodes = NONE;

  void refused(int node, AfterRefusal afterRefusal) {
    if (afterRefusal == AfterRefusal.AVOID_NODE && !contains(node)) {
      nodes = Arrays.copyOf(nodes, nodes.length + 1);
      nodes[nodes.length - 1] = node;
    }
  }

  boolean contains(int node) {
    for (int avoided : nodes) {
      if (avoided == node) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return nodes.length == 0;
  }
}
