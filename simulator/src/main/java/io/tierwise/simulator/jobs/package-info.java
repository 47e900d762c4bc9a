/**
 * How jobs run: who gets a free slot, and what map and reduce tasks do, phase by phase.
 *
 * <p>Not here: where data lies and how fast it moves. Start reading at {@link
 * io.tierwise.simulator.jobs.JobTracker}.
 */
package io.tierwise.simulator.jobs;
