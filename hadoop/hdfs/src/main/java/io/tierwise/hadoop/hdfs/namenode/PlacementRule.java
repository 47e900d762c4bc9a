package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * The rule of the cluster's placement class, for replicas of managed files that are dropped: what
 * stays must not break it when it need not, or the NameNode copies the block again and drops that
 * copy again.
 */
final class PlacementRule {
  /** Replicas of a block up to which another choice is searched; each try asks the class. */
  private static final int SEARCHED_MAX = 16;

  private final BlockPlacementPolicy rule;
  private final boolean knownByPolicies;

  PlacementRule(BlockPlacementPolicy rule) {
    this.rule = rule;
    // Two racks are all that these ask for, and policies keep those by themselves.
    knownByPolicies =
        rule.getClass() == BlockPlacementPolicyDefault.class
            || rule.getClass() == AvailableSpaceBlockPlacementPolicy.class;
  }

  /**
   * {@code dropped} when it keeps the rule as well as the class's own choice does; else a choice
   * that differs in one replica, of the same storage type if possible; else the class's own.
   */
  List<DatanodeStorageInfo> mend(
      List<DatanodeStorageInfo> dropped,
      Collection<DatanodeStorageInfo> candidates,
      int wanted,
      Supplier<List<DatanodeStorageInfo>> ownChoice) {
    if (knownByPolicies || missing(candidates, dropped, wanted) == 0) {
      return dropped;
    }
    List<DatanodeStorageInfo> own = ownChoice.get();
    int acceptable = missing(candidates, own, wanted);
    if (missing(candidates, dropped, wanted) <= acceptable) {
      return dropped;
    }
    if (candidates.size() <= SEARCHED_MAX) {
      for (boolean sameType : new boolean[] {true, false}) {
        List<DatanodeStorageInfo> found =
            exchange(dropped, candidates, wanted, sameType, acceptable);
        if (found != null) {
          return found;
        }
      }
    }
    return own;
  }

  private List<DatanodeStorageInfo> exchange(
      List<DatanodeStorageInfo> dropped,
      Collection<DatanodeStorageInfo> candidates,
      int wanted,
      boolean sameType,
      int acceptable) {
    for (int i = 0; i < dropped.size(); i++) {
      for (DatanodeStorageInfo other : candidates) {
        boolean fits = !sameType || other.getStorageType() == dropped.get(i).getStorageType();
        if (fits && !dropped.contains(other)) {
          List<DatanodeStorageInfo> tried = new ArrayList<>(dropped);
          tried.set(i, other);
          if (missing(candidates, tried, wanted) <= acceptable) {
            return tried;
          }
        }
      }
    }
    return null;
  }

  /** The number of replicas that the class would want in addition if these were dropped. */
  private int missing(
      Collection<DatanodeStorageInfo> candidates, List<DatanodeStorageInfo> dropped, int wanted) {
    // Asked under the write lock: looking up each candidate in a list takes time that grows with
    // their square.
    Set<DatanodeStorageInfo> gone = new HashSet<>(dropped);
    DatanodeInfo[] kept =
        candidates.stream()
            .filter(storage -> !gone.contains(storage))
            .map(DatanodeStorageInfo::getDatanodeDescriptor)
            .toArray(DatanodeInfo[]::new);
    BlockPlacementStatus status = rule.verifyBlockPlacement(kept, wanted);
    return status.isPlacementPolicySatisfied()
        ? 0
        : Math.max(1, status.getAdditionalReplicasRequired());
  }
}
