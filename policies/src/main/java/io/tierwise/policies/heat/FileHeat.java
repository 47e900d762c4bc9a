package io.tierwise.policies.heat;

import io.tierwise.core.use.UseCounts;

/**
 * How hot a file was.
 *
 * @param reads that were counted for it alone; 0 for a file without a row
 * @param readsMax the most that there can have been: more where an earlier time of it is known from
 *     the sketch alone
 * @param counts reads in the window before the last, in the last whole one and in the running one;
 *     all zero without a row
 */
public record FileHeat(String path, long reads, long readsMax, UseCounts counts) {}
