/**
 * The choice of devices for a block, and of the replica that goes when there is one too many.
 *
 * <p>The slot engine, for the policies here and in other jars: a {@link
 * io.tierwise.policies.placement.SlotPlacement} says what the replicas of a block should be, one
 * {@link io.tierwise.policies.placement.Wish} each; {@link
 * io.tierwise.policies.placement.SlotFiller} finds the volumes by sampling cells of the {@link
 * io.tierwise.core.view.ClusterView}, with an ordered fallback; {@link
 * io.tierwise.policies.placement.ReplicaMatching} tells which wish a lost replica fulfilled, and
 * {@link io.tierwise.policies.placement.LayoutFit} how far a block is from its wishes. What is not
 * public here may change with any version.
 *
 * <p>{@link io.tierwise.policies.placement.PlacementPolicies} lists the policies and reads their
 * texts.
 *
 * <p>Not here: which policy a path has (a host's business), and moving replicas later. Start
 * reading at {@link io.tierwise.policies.placement.PlacementPolicy}, then {@code SlotPlacement}.
 */
package io.tierwise.policies.placement;
