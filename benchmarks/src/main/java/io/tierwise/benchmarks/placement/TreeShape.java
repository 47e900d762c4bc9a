package io.tierwise.benchmarks.placement;

import java.util.Locale;

/** How racks of {@value #NODES_PER_RACK} nodes stand in the network tree. */
enum TreeShape {
  /** All racks under the root. */
  FLAT,
  /** Groups of {@value #RACKS_PER_GROUP} racks under the root. */
  GROUPED;

  static final int NODES_PER_RACK = 20;
  static final int RACKS_PER_GROUP = 20;

  /** The network location of the {@code node}-th node. */
  String locationOf(int node) {
    int rack = node / NODES_PER_RACK;
    return this == FLAT ? "/r" + rack : "/g" + rack / RACKS_PER_GROUP + "/r" + rack;
  }

  /** The name that tables and keys use. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
