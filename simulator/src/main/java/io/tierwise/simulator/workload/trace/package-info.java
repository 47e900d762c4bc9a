/**
 * Traces of real clusters, read row by row: SWIM, Rumen, MapReduce job history and Spark event
 * logs, plain or gzip. On a bad file a reader ends with a {@link
 * io.tierwise.simulator.workload.trace.TraceException} of one line and never needs more memory than
 * its limits allow.
 *
 * <p>Not here: generated workloads, and what a job does. Start reading at {@link
 * io.tierwise.simulator.workload.trace.TraceJobs}; a format is a {@link
 * io.tierwise.simulator.workload.trace.TraceRows}.
 */
package io.tierwise.simulator.workload.trace;
