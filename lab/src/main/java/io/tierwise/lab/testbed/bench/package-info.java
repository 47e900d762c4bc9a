/**
 * TestDFSIO's figures on real processes, readers inside the nodes' namespaces, stock HDFS beside
 * Tierwise, at several link speeds.
 *
 * <p>It runs in a JVM of its own inside the NameNode's node, from where the cluster can be reached.
 * Not here: how a task is measured ({@link io.tierwise.lab.dfsio}). Start reading at {@link
 * io.tierwise.lab.testbed.bench.TestbedBench}.
 */
package io.tierwise.lab.testbed.bench;
