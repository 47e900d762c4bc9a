/**
 * The jobs and when they arrive: traces, generators and application profiles, all as a stream of
 * {@link io.tierwise.simulator.workload.JobSpec}s in order of arrival.
 *
 * <p>Not here: how a job runs. Start reading at {@link io.tierwise.simulator.workload.JobSource}.
 */
package io.tierwise.simulator.workload;
