/**
 * The choice of devices for a block, and of the replica that goes when there is one too many.
 *
 * <p>Each policy says what the replicas of a block should be ({@code SlotPlacement.wishes}); {@code
 * SlotFiller} finds the volumes by sampling cells of the {@link io.tierwise.core.view.ClusterView},
 * with an ordered fallback; {@code ReplicaMatching} tells which wish a lost replica fulfilled.
 * {@link io.tierwise.policies.placement.PlacementPolicies} lists the policies and reads their
 * texts.
 *
 * <p>Not here: which policy a path has (a host's business), and moving replicas later. Start
 * reading at {@link io.tierwise.policies.placement.PlacementPolicy}, then {@code SlotFiller}.
 */
package io.tierwise.policies.placement;
