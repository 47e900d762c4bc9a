package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Move;

/**
 * One replica's move, with HDFS's names for its places.
 *
 * @param bytes of the replica
 * @param from where a replica goes
 * @param source whose node's replica is copied
 * @param decision of the policy, with its rule and its cost
 */
record PlannedMove(
    BlockWork work, long bytes, Endpoint from, Endpoint source, Endpoint to, Move decision) {
  /** Whether the DataNode moves it between its own volumes. */
  boolean inside() {
    return from.nodeId().equals(to.nodeId());
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
