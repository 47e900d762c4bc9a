/**
 * Work that a cluster is asked to do, in an engine's absence: applications, their jobs, the stages
 * of a job and what these need, and how near to their data their tasks may run.
 *
 * <p>Not here: how far a job has come, which is what a host knows ({@link
 * io.tierwise.core.view.WorkView}). Start reading at {@link io.tierwise.core.work.Job}.
 */
package io.tierwise.core.work;
