/**
 * Tiers and device classes: what kinds of storage a cluster has and how fast each kind is.
 *
 * <p>Not here: the volumes themselves (see {@link io.tierwise.core.view.ClusterView}) and the file
 * format of the tier table (an adapter's business). Start reading at {@link
 * io.tierwise.core.cluster.TierTable}.
 */
package io.tierwise.core.cluster;
