/**
 * Traces of real clusters, read row by row: SWIM, Rumen, MapReduce job history and Spark event
 * logs, plain, gzip or zstd. On a bad file a reader ends with a {@link
 * io.tierwise.history.TraceException} of one line and never needs more memory than its limits
 * allow.
 *
 * <p>Not here: the events of history files ({@link io.tierwise.history}), generated workloads, and
 * what a job does. Start reading at {@link io.tierwise.simulator.workload.trace.TraceJobs}; a
 * format is a {@link io.tierwise.simulator.workload.trace.TraceRows}.
 */
package io.tierwise.simulator.workload.trace;
