package io.tierwise.hadoop.inspect.image;

/**
 * Counts of what was read of an image.
 *
 * @param layoutVersion of the release that wrote it
 * @param files that have a path
 * @param snapshotFiles files that only snapshots hold, which were left out
 * @param snapshotBytes their length
 */
public record ImageCounts(
    int layoutVersion, long files, long directories, long snapshotFiles, long snapshotBytes) {}
