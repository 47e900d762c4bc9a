/**
 * The promises of placement policies: {@link io.tierwise.policies.placement.PlacementContract} for
 * all of them, a class for what is particular to each, and properties over random clusters.
 */
package io.tierwise.policies.placement;
