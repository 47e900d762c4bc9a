/**
 * Clusters to try things on, and what is measured on them: HDFS in one JVM on emulated devices,
 * HDFS of real processes on one machine, TestDFSIO, the demo.
 *
 * <p>Not here: anything that a production cluster needs, and whoever asks: nothing prints, parses
 * options or knows a terminal. Start reading at {@link io.tierwise.lab.embedded.EmbeddedCluster},
 * {@link io.tierwise.lab.testbed.Testbed} or {@link io.tierwise.lab.dfsio.DfsioRun}.
 */
package io.tierwise.lab;
