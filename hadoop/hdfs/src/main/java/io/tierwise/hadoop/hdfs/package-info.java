/**
 * Adapters between unmodified HDFS and the policies: engine type to core view, policy, engine call.
 *
 * <p>No decision is taken here. {@code tiers} reads the tier table, {@code namenode} places and
 * deletes replicas, {@code client} orders them for reads, {@code datanode} counts and refuses
 * readers, {@code topology} orders on the NameNode for clients that carry no plug-in, {@code audit}
 * feeds accesses, {@code secondary} lets clients read what a secondary store holds, {@code metrics}
 * shows the counters of all.
 */
package io.tierwise.hadoop.hdfs;
