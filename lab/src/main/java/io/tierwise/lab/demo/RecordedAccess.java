package io.tierwise.lab.demo;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Reads the replicas that the readers of a real run read.
 *
 * @param sources by task and block the node
 */
record RecordedAccess(List<List<Integer>> sources) implements AccessStrategy {
  @Override
  public String name() {
    return "recorded";
  }

  @Override
  public AccessReason order(
      AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
    int source =
        sources.get(RecordedPlacement.taskOf(request.fileId())).get((int) request.blockIndex());
    int first = 0;
    for (int replica = 0; replica < view.replicaCount(); replica++) {
      order[replica] = replica;
      if (view.nodeKey(replica) == source) {
        first = replica;
      }
    }
    order[first] = 0;
    order[0] = first;
    return AccessReason.ONLY_REPLICA;
  }
}
