package io.tierwise.policies.placement;

import io.tierwise.core.view.ClusterView;

/** The most replicas of a block that one rack may hold. */
final class RackLimit {
  static final int UNLIMITED = Integer.MAX_VALUE;

  private RackLimit() {}

  /** For a block of so many replicas in the cluster. */
  static int of(int replicas, ClusterView view) {
    return of(replicas, view.nodeCount(), view.rackCount());
  }

  /**
   * (replicas - 1) / racks + 2, and one less when that would let one rack hold them all.
   *
   * <p>Source: Apache Hadoop 3.5.0, {@code BlockPlacementPolicyDefault.getMaxNodesPerRack}: the
   * NameNode checks placements against the same idea, and a block in one rack would be copied
   * again.
   */
  static int of(int total, int nodeCount, int rackCount) {
    int replicas = Math.min(total, nodeCount);
    if (rackCount <= 1 || replicas <= 1) {
      return UNLIMITED;
    }
    int limit = (replicas - 1) / rackCount + 2;
    return limit == replicas ? limit - 1 : limit;
  }
}
