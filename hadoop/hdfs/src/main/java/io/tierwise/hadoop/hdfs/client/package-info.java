/**
 * The HDFS client that reads by an access strategy: re-orders the replicas that the NameNode lists,
 * asks a node that refused a block again for the next one, and counts what was read from where.
 *
 * <p>Streams stay Hadoop's own; nothing is forked. Not here: the strategies ({@code
 * io.tierwise.policies.access}) and the refusing side ({@code datanode}). Start reading at {@link
 * io.tierwise.hadoop.hdfs.client.TierwiseFileSystem}, then {@link
 * io.tierwise.hadoop.hdfs.client.TierwiseClient}.
 */
package io.tierwise.hadoop.hdfs.client;
