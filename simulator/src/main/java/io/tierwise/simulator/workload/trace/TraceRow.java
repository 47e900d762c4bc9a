package io.tierwise.simulator.workload.trace;

import io.tierwise.simulator.workload.JobSpec;

/**
 * A job as a trace has it.
 *
 * @param submitMillis since the start of the trace or since 1970, as the format says
 * @param job its submit time is not set
 */
record TraceRow(long submitMillis, JobSpec job) {}
