/**
 * How a cluster is reached, and what it tells of itself: volumes with their tiers, what the plug-in
 * inside its NameNode answers, its namespace path by path.
 *
 * <p>Not here: judgement. Start reading at {@link
 * io.tierwise.hadoop.inspect.cluster.ClusterVolumes}.
 */
package io.tierwise.hadoop.inspect.cluster;
