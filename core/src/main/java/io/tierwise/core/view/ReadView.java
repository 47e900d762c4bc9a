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

  /**
   * Transfers that the replica's node said it was serving when it last reported; a host that knows
   * them as they are says those.
   */
  default int reportedTransfers(int replica) {
    return activeTransfers(replica);
  }

  /**
   * The number of shared resources that the bytes pass from the replica to the reader, 0 when the
   * host knows none: the device, then, for a reader on another node, the link of the replica's
   * node, the uplinks between the racks and regions, and the link of the reader's node. Resources
   * that can never be the limit are left out, except for the first two.
   */
  default int pathLength(int replica) {
    return 0;
  }

  /**
   * A key of that resource, equal for equal resources wherever the same counts are kept.
   *
   * @param step from 0 to {@link #pathLength} - 1
   */
  default long pathKey(int replica, int step) {
    throw new IndexOutOfBoundsException(step);
  }

  /** Bytes per second that the resource carries for one reader alone; NaN when unknown. */
  default double pathBytesPerSecond(int replica, int step) {
    throw new IndexOutOfBoundsException(step);
  }

  /**
   * The measured share of that resource's nominal speed: more than 0, at most 1; 1 where nobody
   * measured it.
   */
  default double shareOfSpeed(int replica, int step) {
    return 1;
  }

  /** Milliseconds on a clock that never goes back, from any start; 0 where the host has none. */
  default long nowMillis() {
    return 0;
  }
}
