/**
 * TestDFSIO's write and read figures on a running HDFS, by placement and by strategy.
 *
 * <p>The same engine runs in threads (embedded cluster, one machine) and as worker processes that
 * somebody else starts inside the nodes. Not here: starting clusters, and how figures are printed.
 * Start reading at {@link io.tierwise.lab.dfsio.DfsioRun}; {@link
 * io.tierwise.lab.dfsio.DfsioFigures} says what is computed.
 */
package io.tierwise.lab.dfsio;
