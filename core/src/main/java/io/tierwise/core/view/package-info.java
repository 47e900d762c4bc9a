/**
 * What policies may see: read-only windows that a host opens over what it already keeps.
 *
 * <p>Nothing is copied per decision: a NameNode implements {@link
 * io.tierwise.core.view.ClusterView} over its live node descriptors, a simulator over arrays. Ids
 * are small integers that hold only within one view; names are resolved at the edges. Start reading
 * at {@link io.tierwise.core.view.ClusterView}.
 */
package io.tierwise.core.view;
