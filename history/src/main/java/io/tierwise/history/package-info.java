/**
 * What MapReduce and Spark write down of jobs that ran, read from wherever it is stored: job
 * history files and event logs, plain, gzip or zstd. On a bad file a reader ends with a {@link
 * io.tierwise.history.TraceException} of one line, and never needs more memory than {@link
 * io.tierwise.history.TraceLimits} allows.
 *
 * <p>Not here: what is made of it, jobs of a simulated workload or profiles of applications. Start
 * reading at {@link io.tierwise.history.RunReader}.
 */
package io.tierwise.history;
