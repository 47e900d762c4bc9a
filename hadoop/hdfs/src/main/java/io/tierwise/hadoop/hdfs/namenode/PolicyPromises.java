package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.policies.placement.PlacementPromises;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * Checks the answers of placement policies before HDFS follows them, which believes every answer:
 * it would write two replicas to one node. It goes by storages and not by the ids of the view as
 * {@link PlacementPromises} does, since a replica may be where the view knows no volume.
 */
final class PolicyPromises {
  private PolicyPromises() {}

  /**
   * Checks the targets of a block.
   *
   * @param storages of the decision's choices
   * @throws IllegalStateException naming the policy and what it should not have answered
   */
  static void check(Place decision, DatanodeStorageInfo[] storages, PlacementHost.Question asked) {
    PlacementPromises.requireCount(decision, asked.replicaCount(), asked.atOnceMin());
    Set<Node> excluded = asked.excluded();
    List<DatanodeStorageInfo> replicas = asked.existing();
    for (int i = 0; i < storages.length; i++) {
      DatanodeDescriptor node = storages[i].getDatanodeDescriptor();
      boolean isLeftOut = excluded != null && excluded.contains(node);
      PlacementPromises.require(
          !isLeftOut, decision.policy(), "chose a node that was to be left out");
      for (int before = 0; before < i; before++) {
        requireOther(storages[before], node, decision);
      }
      // By index: an iterator for each replica would be garbage of each decision.
      for (int existing = 0; existing < replicas.size(); existing++) {
        requireOther(replicas.get(existing), node, decision);
      }
    }
  }

  private static void requireOther(
      DatanodeStorageInfo storage, DatanodeDescriptor node, Place decision) {
    PlacementPromises.require(
        !storage.getDatanodeDescriptor().equals(node),
        decision.policy(),
        "put two replicas on one node");
  }
}
