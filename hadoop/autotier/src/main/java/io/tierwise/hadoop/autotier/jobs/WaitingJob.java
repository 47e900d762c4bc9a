package io.tierwise.hadoop.autotier.jobs;

/**
 * A MapReduce job that YARN has accepted and not yet begun.
 *
 * @param application its id on YARN
 * @param user who submitted it, as YARN knows him
 * @param name as its client named it: any text
 */
public record WaitingJob(String application, String user, String name, long submittedMillis) {}
