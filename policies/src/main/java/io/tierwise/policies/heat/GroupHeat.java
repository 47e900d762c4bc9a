package io.tierwise.policies.heat;

import io.tierwise.core.use.UseCounts;

/**
 * How hot all files of a directory or table together were.
 *
 * @param path the directory, or the table's
 * @param reads of all that is below it
 * @param counts reads in the window before the last, in the last whole one and in the running one
 */
public record GroupHeat(String path, long reads, UseCounts counts) {}
