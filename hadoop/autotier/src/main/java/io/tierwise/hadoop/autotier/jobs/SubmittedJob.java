package io.tierwise.hadoop.autotier.jobs;

import io.tierwise.history.RunRecord;

/**
 * A job on YARN that has not ended.
 *
 * @param application its id on YARN
 * @param user who submitted it, as YARN knows him
 * @param name as its client named it: any text
 */
public record SubmittedJob(
    RunRecord.Engine engine, String application, String user, String name, long submittedMillis) {}
