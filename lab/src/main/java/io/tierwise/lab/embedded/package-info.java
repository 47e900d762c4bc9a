/**
 * A real HDFS in one JVM on emulated devices and links, for the demo and for tests.
 *
 * <p>NameNode, DataNodes and clients are Hadoop's own. Every DataNode, reader and writer has a
 * loopback address of its own, so that the NameNode sees who is local to what as on a real cluster.
 * Only the speed of devices and links is emulated. Not for production, and not in the plug-in jar.
 * Start reading at {@link io.tierwise.lab.embedded.EmbeddedCluster}.
 */
package io.tierwise.lab.embedded;
