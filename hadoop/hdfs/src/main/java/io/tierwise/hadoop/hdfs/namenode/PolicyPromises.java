package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.policies.placement.PlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Checks the answers of placement policies before HDFS follows them. A policy of another jar may
 * break its promises, and HDFS believes every answer: it would write two replicas to one node, or
 * drop the last one.
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
    int wanted = asked.replicaCount();
    int mayWait = Math.max(0, wanted - Math.max(1, asked.atOnceMin()));
    require(
        decision.choices().size() + decision.async() <= wanted && decision.async() <= mayWait,
        decision.policy(),
        "gave more volumes than were wanted, or left too many for later");
    for (int i = 0; i < storages.length; i++) {
      DatanodeDescriptor node = storages[i].getDatanodeDescriptor();
      boolean isLeftOut = asked.excluded() != null && asked.excluded().contains(node);
      require(!isLeftOut, decision.policy(), "chose a node that was to be left out");
      for (int before = 0; before < i; before++) {
        requireOther(storages[before], node, decision);
      }
      // By index: an iterator for each replica would be garbage of each decision.
      for (int existing = 0; existing < asked.existing().size(); existing++) {
        requireOther(asked.existing().get(existing), node, decision);
      }
    }
  }

  private static void requireOther(
      DatanodeStorageInfo storage, DatanodeDescriptor node, Place decision) {
    require(
        !storage.getDatanodeDescriptor().equals(node),
        decision.policy(),
        "put two replicas on one node");
  }

  /**
   * Checks the replicas of a block that go. Called under the write lock: a look at each of them.
   *
   * @param chosen indexes of those that go
   * @param count of the replicas
   * @param wanted how many should stay
   * @throws IllegalStateException naming the policy and what it should not have answered
   */
  static void checkExcess(PlacementPolicy policy, int[] chosen, int count, int wanted) {
    boolean isKept = chosen.length == count - wanted;
    boolean[] goes = new boolean[count];
    for (int i = 0; isKept && i < chosen.length; i++) {
      isKept = chosen[i] >= 0 && chosen[i] < count && !goes[chosen[i]];
      if (isKept) {
        goes[chosen[i]] = true;
      }
    }
    require(isKept, policy.name(), "dropped other than the replicas that are too many");
  }

  private static void require(boolean holds, String policy, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(policy + " " + otherwise);
    }
  }
}
