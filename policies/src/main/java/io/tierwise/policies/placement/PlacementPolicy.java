package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.data.Layout;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides which volumes take the replicas of a block. Stateless beyond its settings, safe to call
 * from many threads.
 *
 * <p>Promises of every implementation (the contract suite checks them): no two replicas on one
 * node; no volume that refuses; same view, request and seed give the same decision; more free space
 * never makes a request infeasible; a full, throttled or missing tier is replaced by its fallback
 * and never fails a request that some volume could take; nothing that a decision allocates outlives
 * it, and it allocates no more in a larger cluster.
 */
public interface PlacementPolicy {
  /** Why a replica goes that {@link #chooseExcess} names. */
  String DROP_RULE = "its loss costs the layout least";

  /** The policy's specification in canonical form; {@code PlacementPolicies.parse} accepts it. */
  String name();

  Place place(PlacementRequest request, ClusterView view, RandomGenerator random);

  /**
   * Whether it counts the blocks of the directory that it is set on, and not those of each file.
   */
  default boolean countsOverDirectory() {
    return false;
  }

  /** Whether it lets a write return before all replicas are there, where the host allows that. */
  default boolean writesAsync() {
    return false;
  }

  /** The layout that it is, for one that is a layout and nothing else: then it may be changed. */
  default Optional<Layout> layout() {
    return Optional.empty();
  }

  /** Its zones, for one that shares blocks out among them: then their shares may be chosen. */
  default Optional<ZoneShares> zoneShares() {
    return Optional.empty();
  }

  /**
   * The replicas that should go when a block has too many. Hosts ask under a lock: the work grows
   * with the replicas, and a replica is looked up in the view a few times at most.
   *
   * @param volumes the volumes of the live replicas, distinct; an id may be {@code
   *     ClusterView.NONE} for a replica that the view does not know
   * @param file the block's file
   * @param replicaCount how many are wanted; at most {@code volumes.length}
   * @return indexes into {@code volumes} of the {@code volumes.length - replicaCount} replicas
   *     whose loss hurts the layout least, in the order in which they should go
   */
  int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view);

  /**
   * Compares the replicas that a block has with those that the policy wants.
   *
   * @param volumes of the live replicas, distinct; an id may be {@code ClusterView.NONE}
   * @param replicaCount how many replicas the file should have
   * @return empty for a policy that does not tell its wishes
   */
  default Optional<LayoutFit> fit(
      FileView file, int[] volumes, int replicaCount, ClusterView view) {
    return Optional.empty();
  }
}
