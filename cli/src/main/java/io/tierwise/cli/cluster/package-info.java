/**
 * The commands that look at a running cluster: its tiers, what is wrong with it, where a file is;
 * and the options that name it.
 *
 * <p>Not here: how it is reached and what is looked for, which is {@code hadoop/inspect}'s. Start
 * reading at {@link io.tierwise.cli.cluster.ClusterOptions}.
 */
package io.tierwise.cli.cluster;
