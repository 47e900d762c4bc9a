package io.tierwise.policies.movement;

import io.tierwise.core.data.IdHash;
import io.tierwise.policies.movement.MovementPlan.Reason;
import io.tierwise.policies.movement.MovementPlan.Unmoved;
import io.tierwise.policies.placement.LayoutFit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Moves the replicas of a block that stand for nothing in its layout to where the layout misses
 * one. The verb is hatS's {@code moveTier}. Source: DerbyhatS, 4.1.2, Table 4.1; a copy is read
 * where the shortest queue is, so that several nodes share the traffic: 5.2.5.
 *
 * <p>Promises (the contract suite checks them): no two replicas on one node; the parts of the
 * layout that replicas stand for stay fulfilled; the block stands in no fewer racks than before,
 * unless in as many as the layout needs; no volume gets what it has no room for; each move leaves
 * one part of the layout less unfulfilled; no volume outside the wanted tier and region is chosen;
 * same request and state, same plan.
 *
 * <p>Own: moves inside a node come first, since they cost no network and change neither rack nor
 * node: of replicas that can stand for each other the one goes that can go so. Between nodes the
 * placement policies' own engine draws two volumes, and the one with the shorter queue is taken (of
 * two random choices the better is nearly as even as the best of all, and costs the same at any
 * size of the cluster). Nothing falls back to another tier here: a stored replica that cannot get
 * its tier stays.
 */
public final class LayoutMovement {
  /** The name that its moves carry. */
  public static final String NAME = "layout-movement";

  /**
   * Plans the moves of a block and promises them in {@code state}.
   *
   * <p>Work grows with the block's replicas, and not with the cluster, except once a tier for each
   * size of block that finds it full.
   */
  public MovementPlan plan(MovementRequest request, MovementState state) {
    int[] volumes = request.volumes();
    Optional<LayoutFit> told =
        request.wanted().fit(request.file(), volumes, request.file().replicaCount(), state.view());
    if (told.isEmpty()) {
      return new MovementPlan(
          List.of(),
          Arrays.stream(volumes)
              .mapToObj(volume -> new Unmoved(volume, Reason.POLICY_DOES_NOT_TELL))
              .toList());
    }
    if (told.get().allFit()) {
      return MovementPlan.NOTHING;
    }
    long seed = IdHash.mix(request.file().fileId()) + request.file().dataSetBlockIndex();
    return new BlockMoves(request, told.get(), state, new SplittableRandom(IdHash.mix(seed)))
        .plan();
  }
}
