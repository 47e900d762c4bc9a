/**
 * Options that name the cluster a command speaks to.
 *
 * <p>Not here: how it is reached, which is {@code hadoop/inspect}'s. Start reading at {@link
 * io.tierwise.cli.cluster.ClusterOptions}.
 */
package io.tierwise.cli.cluster;
