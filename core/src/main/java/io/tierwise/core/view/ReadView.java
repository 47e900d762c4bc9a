package io.tierwise.core.view;

import io.tierwise.core.cluster.TierTable;

/**
 * The replicas of one block as an access strategy sees them, numbered from 0 in the host's own
 * order (stock HDFS: nearest first).
 */
public interface ReadView {
  TierTable tiers();

  int replicaCount();

  /** The replica's tier, or {@link TierTable#NONE} when unknown. */
  int tier(int replica);

  /**
   * Hops between the reader and the replica's node: 0 same node, 2 same rack, 4 other rack, 6 other
   * region, as HDFS counts.
   */
  int distance(int replica);

  /** Transfers that the replica's node is serving, as fresh as the host knows; 0 when unknown. */
  int activeTransfers(int replica);

  /** A key that is equal for equal nodes within the reading process. */
  int nodeKey(int replica);

  /**
   * Bytes that the replica's store can hold; where a host knows only the whole node's, that. 0 when
   * unknown.
   */
  default long capacityBytes(int replica) {
    return 0;
  }
}
