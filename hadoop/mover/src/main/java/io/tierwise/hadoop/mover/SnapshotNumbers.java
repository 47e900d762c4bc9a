package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/**
 * The numbers of replicas that snapshots keep. A block has as many replicas as its file has in any
 * snapshot, however few the file itself is given later: HDFS drops none of them.
 *
 * <p>A file is looked for by its path, so that one that was renamed since a snapshot is not found
 * there. Users other than HDFS's superuser learn of their own directories' snapshots only.
 *
 * <p>Source: Apache Hadoop 3.5.0, {@code INodeFile.getPreferredBlockReplication}.
 */
final class SnapshotNumbers {
  private final DistributedFileSystem fs;

  /** The snapshots of each directory, the newest first; null before they are asked for. */
  private Map<String, List<String>> snapshots;

  SnapshotNumbers(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /**
   * The most replicas that a snapshot keeps of a file of which some block has more than the file
   * wants; else 0, without a question to the NameNode.
   */
  int keptBeyond(String path, HdfsLocatedFileStatus file) throws IOException {
    boolean some =
        file.getLocatedBlocks().getLocatedBlocks().stream()
            .anyMatch(block -> block.getLocations().length > file.getReplication());
    return some ? kept(path, file) : 0;
  }

  /** The most replicas that a snapshot keeps of the file; 0 when it is in none. */
  int kept(String path, HdfsFileStatus file) throws IOException {
    return kept(path, file, Integer.MAX_VALUE);
  }

  /** Whether a snapshot keeps more replicas of the file than so many: mostly the newest tells. */
  boolean keepMoreThan(int replicas, String path, HdfsFileStatus file) throws IOException {
    return kept(path, file, replicas + 1) > replicas;
  }

  private int kept(String path, HdfsFileStatus file, int enough) throws IOException {
    int most = 0;
    if (NamespaceWalk.isInSnapshots(path)) {
      return most;
    }
    for (Path above = new Path(path).getParent(); above != null; above = above.getParent()) {
      String directory = above.toString();
      String rest =
          path.substring(directory.endsWith("/") ? directory.length() - 1 : directory.length());
      for (String snapshot : snapshots().getOrDefault(directory, List.of())) {
        HdfsFileStatus then = fs.getClient().getFileInfo(snapshot + rest);
        if (then == null || then.getFileId() != file.getFileId()) {
          // It is younger, and older snapshots have it neither.
          break;
        }
        most = Math.max(most, then.getReplication());
        if (most >= enough) {
          return most;
        }
      }
    }
    return most;
  }

  /** Whether there are snapshots of a directory at the path, above it or below it. */
  boolean concern(String path) throws IOException {
    String start = path.endsWith("/") ? path : path + "/";
    return snapshots().keySet().stream()
        .map(directory -> directory.endsWith("/") ? directory : directory + "/")
        .anyMatch(directory -> directory.startsWith(start) || start.startsWith(directory));
  }

  private Map<String, List<String>> snapshots() throws IOException {
    if (snapshots == null) {
      Map<String, List<String>> found = new HashMap<>();
      SnapshottableDirectoryStatus[] directories = fs.getSnapshottableDirListing();
      for (SnapshottableDirectoryStatus one :
          directories == null ? new SnapshottableDirectoryStatus[0] : directories) {
        if (one.getSnapshotNumber() > 0) {
          found.put(one.getFullPath().toString(), newestFirst(one.getFullPath()));
        }
      }
      snapshots = found;
    }
    return snapshots;
  }

  /** Empty for a directory that was deleted just now. */
  private List<String> newestFirst(Path directory) throws IOException {
    List<FileStatus> all = new ArrayList<>();
    try {
      all.addAll(Arrays.asList(fs.listStatus(new Path(directory, HdfsConstants.DOT_SNAPSHOT_DIR))));
    } catch (FileNotFoundException e) {
      return List.of();
    }
    all.sort(Comparator.comparingLong(FileStatus::getModificationTime).reversed());
    return all.stream().map(one -> one.getPath().toUri().getPath()).toList();
  }
}
