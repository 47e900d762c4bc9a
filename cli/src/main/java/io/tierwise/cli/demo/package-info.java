/**
 * {@code tierwise demo}: stock HDFS and every policy, side by side, for people.
 *
 * <p>Not here: the cluster, the runs and the predictions, which are {@code lab}'s. Start reading at
 * {@link io.tierwise.cli.demo.DemoCommand}.
 */
package io.tierwise.cli.demo;
