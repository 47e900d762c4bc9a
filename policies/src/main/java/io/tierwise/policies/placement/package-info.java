/**
 * Which devices take a block.
 *
 * <p>Each policy turns a request into slots of a {@link io.tierwise.core.data.Layout}; one shared
 * engine fills the slots by sampling cells of the {@link io.tierwise.core.view.ClusterView}, with
 * an ordered fallback. Start reading at {@link io.tierwise.policies.placement.PlacementPolicy}.
 */
package io.tierwise.policies.placement;
