/**
 * Benchmarks of a running HDFS: TestDFSIO's write and read figures, by placement and by strategy.
 *
 * <p>The same engine runs in threads (embedded cluster, one machine) and as worker processes that
 * somebody else starts inside the nodes. Not here: starting clusters. Start reading at {@link
 * io.tierwise.cli.bench.DfsioRun}; {@link io.tierwise.cli.bench.DfsioFigures} says what is
 * computed.
 */
package io.tierwise.cli.bench;
