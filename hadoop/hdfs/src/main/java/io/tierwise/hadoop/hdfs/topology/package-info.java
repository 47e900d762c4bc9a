/**
 * A replica as a reader sees it (its tier and its distance), and the re-ordering of replicas by an
 * access strategy, shared by the client and the NameNode.
 *
 * <p>Not here: which strategy holds for a path (see {@code client}) and the strategies themselves
 * (see {@code io.tierwise.policies.access}). Start reading at {@link
 * io.tierwise.hadoop.hdfs.topology.ReplicaSorter}; the NameNode's plug-in is {@link
 * io.tierwise.hadoop.hdfs.topology.TierwiseTopology}.
 */
package io.tierwise.hadoop.hdfs.topology;
