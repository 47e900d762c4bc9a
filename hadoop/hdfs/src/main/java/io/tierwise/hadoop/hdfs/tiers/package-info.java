/**
 * The tier table of an HDFS cluster: {@code tiers.yaml}, which volumes belong to which tier, named
 * layouts, path rules and limits.
 *
 * <p>Every process (NameNode, DataNode, client, command line) reads the same file from its
 * configuration directory. Not here: what a policy does with a tier. Start reading at {@link
 * io.tierwise.hadoop.hdfs.tiers.TierConfiguration}.
 */
package io.tierwise.hadoop.hdfs.tiers;
