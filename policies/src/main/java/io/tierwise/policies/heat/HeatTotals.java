package io.tierwise.policies.heat;

/**
 * Totals of a heat map: accesses that it has seen, rows that it holds.
 *
 * @param reads opens that began a read
 * @param continued opens that went on with a read of the same reader, which are not counted again
 * @param late accesses with an earlier time than one before them: counted as of then
 * @param nameless opens of a file by its inode number, as an NFS gateway reads it: nobody says
 *     which path that is
 * @param files rows of files
 * @param directories rows of directories
 * @param filesEvicted rows that went to the sketch
 * @param directoriesFolded directories that are counted with their parents
 * @param tailReads reads that the sketch holds
 * @param tailErrorMax by how much the sketch's estimates are too high at most, for 96.3% of all
 *     files
 * @param nowMillis the latest time
 */
public record HeatTotals(
    long reads,
    long continued,
    long late,
    long nameless,
    int files,
    int directories,
    long filesEvicted,
    long directoriesFolded,
    long tailReads,
    double tailErrorMax,
    long nowMillis) {}
