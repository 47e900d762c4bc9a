/**
 * What jobs wait on YARN, what they will read, and what a profile of their application says: seen
 * from outside, without a change to a job, its client or YARN.
 *
 * <p>Not here: what is done for them. Start reading at {@link
 * io.tierwise.hadoop.autotier.jobs.JobWatch}.
 */
package io.tierwise.hadoop.autotier.jobs;
