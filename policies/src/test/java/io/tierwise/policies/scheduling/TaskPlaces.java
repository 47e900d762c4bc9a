package io.tierwise.policies.scheduling;

import io.tierwise.core.work.Nearness;
import java.util.List;

/** How the nodes of a task's data stand to a node of a {@link WorkedCluster}. */
final class TaskPlaces {
  private TaskPlaces() {}

  /**
   * Whether a task stands so. Allocates nothing.
   *
   * @param places the nodes of its data; none for a task without a place
   */
  static boolean stand(List<Integer> places, Nearness nearness, int node) {
    return switch (nearness) {
      case ON_NODE -> places.contains(node);
      case UNPLACED -> places.isEmpty();
      case IN_RACK -> !places.contains(node) && anyInRackOf(node, places);
      case ANYWHERE -> !places.isEmpty();
    };
  }

  private static boolean anyInRackOf(int node, List<Integer> places) {
    int rack = node / WorkedCluster.NODES_PER_RACK;
    for (int i = 0; i < places.size(); i++) {
      if (places.get(i) / WorkedCluster.NODES_PER_RACK == rack) {
        return true;
      }
    }
    return false;
  }
}
