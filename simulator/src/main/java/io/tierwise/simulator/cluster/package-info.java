/**
 * The virtual cluster: nodes, links, devices, page caches and write buffers, and what a transfer
 * between them uses.
 *
 * <p>Not here: what is stored where (see {@code storage}) and who transfers (see {@code jobs}).
 * Start reading at {@link io.tierwise.simulator.cluster.VirtualCluster}.
 */
package io.tierwise.simulator.cluster;
