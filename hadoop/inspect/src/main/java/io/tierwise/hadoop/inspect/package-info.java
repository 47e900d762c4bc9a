/**
 * A running HDFS cluster seen from outside, by calls that any client or administrator may make: its
 * volumes and tiers, its health, what the policies of paths want and what stands there.
 *
 * <p>Not here: what runs inside a daemon or client (the adapters'), and whoever asks: nothing
 * prints, parses options or knows a terminal. Nothing here moves data. Start reading at {@link
 * io.tierwise.hadoop.inspect.cluster.ClusterConnection}.
 */
package io.tierwise.hadoop.inspect;
