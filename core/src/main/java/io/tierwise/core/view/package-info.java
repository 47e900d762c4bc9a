/**
 * The views of policies: read-only windows on the data that a host keeps anyway.
 *
 * <p>Nothing is copied per decision: a NameNode implements {@link
 * io.tierwise.core.view.ClusterView} over its live node descriptors, a simulator over arrays. Ids
 * are small integers that hold only within one view; names are resolved at the edges. A {@link
 * io.tierwise.core.view.Census} is the exception: a list of a cluster's volumes, for a simulator.
 * Start reading at {@link io.tierwise.core.view.ClusterView}.
 */
package io.tierwise.core.view;
