/**
 * The nouns of a heterogeneous cluster and the windows that policies look through.
 *
 * <p>JDK only: no I/O, no clock, no threads, no Hadoop type. Hosts (a NameNode, an HDFS client, a
 * simulator) implement the interfaces of {@link io.tierwise.core.view}; policies decide over them.
 * Start reading at {@link io.tierwise.core.view.ClusterView}.
 */
package io.tierwise.core;
