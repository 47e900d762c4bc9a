/**
 * Which cluster a command speaks to, and reading its state through HDFS's public calls.
 *
 * <p>Start reading at {@link io.tierwise.cli.cluster.ClusterOptions}.
 */
package io.tierwise.cli.cluster;
