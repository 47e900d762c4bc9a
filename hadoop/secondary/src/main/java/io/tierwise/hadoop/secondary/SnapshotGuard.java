package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.namenode.INodeId;

/**
 * Recognises files that a snapshot may hold. They stay where they are: a file that goes or comes
 * back is a new inode, and the snapshot's inode would lose its copy. A placeholder that was renamed
 * out of a directory with a snapshot may be held, too: its copy keeps its number.
 */
final class SnapshotGuard {
  /** The store's clock and the NameNode's; own: a machine whose clock is further off is broken. */
  private static final long CLOCKS_DIFFER_MILLIS = 3_600_000;

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

  /** The same of a file that may have been renamed since it was listed. */
  static Optional<String> whyNow(DistributedFileSystem fs, long fileId) throws IOException {
    for (HdfsFileStatus above : Above.of(fs, fileId)) {
      boolean isRoot = above.getFileId() == INodeId.ROOT_INODE_ID;
      if (isRoot ? isRootSnapshottable(fs, new Path("/")) : above.isSnapshotEnabled()) {
        return Optional.of(
            "by now it is below a directory that allows snapshots, and one may hold it");
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

  /** The root always says that it may have snapshots, also where HDFS refuses to take one. */
  private static boolean isRootSnapshottable(DistributedFileSystem fs, Path root)
      throws IOException {
    SnapshottableDirectoryStatus[] listed = fs.getSnapshottableDirListing();
    return fs.listStatus(new Path(root, ".snapshot")).length > 0
        || (listed != null
            && Arrays.stream(listed).anyMatch(directory -> directory.getFullPath().isRoot()));
  }

  /**
   * The reason why a stored file keeps its number, whatever became of its placeholder; empty when
   * no snapshot can hold that one.
   */
  static Optional<String> since(DistributedFileSystem fs, FileStatus stored) throws IOException {
    return stored.getModificationTime() <= latestMillis(fs) + CLOCKS_DIFFER_MILLIS
        ? Optional.of("a snapshot was taken since, and may hold its placeholder")
        : Optional.empty();
  }

  /** The time of the latest snapshot, of those that this user may list. */
  private static long latestMillis(DistributedFileSystem fs) throws IOException {
    long latest = Long.MIN_VALUE / 2;
    SnapshottableDirectoryStatus[] roots = fs.getSnapshottableDirListing();
    if (roots == null) {
      return latest;
    }
    for (SnapshottableDirectoryStatus root : roots) {
      for (FileStatus snapshot : fs.listStatus(new Path(root.getFullPath(), ".snapshot"))) {
        latest = Math.max(latest, snapshot.getModificationTime());
      }
    }
    return latest;
  }
}
