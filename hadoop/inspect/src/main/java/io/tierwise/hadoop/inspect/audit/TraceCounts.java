package io.tierwise.hadoop.inspect.audit;

/**
 * Counts of what was read of DataNodes' logs.
 *
 * @param lines all of them
 * @param reads lines that say how many bytes went to a reader
 * @param shortCircuits lines that say that a reader got the file of a block
 * @param outside of both, of another time than the audit log's
 * @param otherPool reads of block pools that are not meant
 * @param corrupt lines that begin as such a line does and are not whole, or hold something else
 *     where a number or a block should be
 * @param firstCorrupt where the first of these stands, why it counts as one, and its begin; null
 *     when there is none
 * @param sentBytes of the reads that count, with checksums
 */
public record TraceCounts(
    long lines,
    long reads,
    long shortCircuits,
    long outside,
    long otherPool,
    long corrupt,
    String firstCorrupt,
    long sentBytes) {}
