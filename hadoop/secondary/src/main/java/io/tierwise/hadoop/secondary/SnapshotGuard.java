package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/**
 * Tells files that a snapshot may hold. They stay where they are: a file that goes or comes back is
 * another inode, and the snapshot's own would be left without its copy.
 */
final class SnapshotGuard {
  private SnapshotGuard() {}

  /** Why a file stays; empty when no snapshot can hold it. */
  static Optional<String> why(DistributedFileSystem fs, Path file) throws IOException {
    for (Path above = file.getParent(); above != null; above = above.getParent()) {
      if (isSnapshottable(fs, above)) {
        return Optional.of(
            "it is below a directory that allows snapshots, and one may hold it: "
                + above.toUri().getPath());
      }
    }
    return Optional.empty();
  }

  private static boolean isSnapshottable(DistributedFileSystem fs, Path directory)
      throws IOException {
    if (directory.isRoot()) {
      return isRootSnapshottable(fs, directory);
    }
    try {
      return fs.getFileStatus(directory).isSnapshotEnabled();
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** The root says always that it is, also where HDFS would take no snapshot of it. */
  private static boolean isRootSnapshottable(DistributedFileSystem fs, Path root)
      throws IOException {
    SnapshottableDirectoryStatus[] listed = fs.getSnapshottableDirListing();
    return fs.listStatus(new Path(root, ".snapshot")).length > 0
        || (listed != null
            && Arrays.stream(listed).anyMatch(directory -> directory.getFullPath().isRoot()));
  }
}
