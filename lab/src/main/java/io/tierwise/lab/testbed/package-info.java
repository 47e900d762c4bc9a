/**
 * A heterogeneous HDFS of real processes on one Linux machine. Each node is a network namespace
 * with its own address, each volume a loop device with a speed limit, each daemon an unmodified
 * Hadoop main class in a JVM of its own.
 *
 * <p>Not here: what the host does for it ({@code host}), the configuration of the cluster ({@code
 * plan}) and the benchmarks ({@code bench}). No class of Hadoop is used: the launcher starts
 * daemons and asks them over the network. Start reading at {@link io.tierwise.lab.testbed.Testbed}.
 */
package io.tierwise.lab.testbed;
