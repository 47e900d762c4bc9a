package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Goes through the files at a path and below that are under one policy. Files that HDFS places by
 * rules of its own are left out, and counted.
 */
final class FilesBelow implements NamespaceWalk.Visitor {
  /** Told of each file. */
  @FunctionalInterface
  interface Files {
    void file(String path, HdfsFileStatus status) throws IOException;
  }

  private final String from;
  private final Files files;
  private long leftOut;
  private long unreadable;

  private FilesBelow(String from, Files files) {
    this.from = from;
    this.files = files;
  }

  /**
   * Walks.
   *
   * @param withLocations whether files come with the locations of their blocks
   * @throws OperatorException when something below the path has a policy of its own
   */
  static FilesBelow walk(DistributedFileSystem fs, String from, boolean withLocations, Files files)
      throws IOException {
    FilesBelow walked = new FilesBelow(from, files);
    try (NamespaceWalk walk = new NamespaceWalk(fs, withLocations, walked)) {
      walk.walk(from);
    }
    return walked;
  }

  /** Files that HDFS places by rules of its own. */
  long leftOut() {
    return leftOut;
  }

  /** Paths that this user may not read. */
  long unreadable() {
    return unreadable;
  }

  @Override
  public void enter(String path, Map<String, byte[]> attributes) {
    requireNoOther(path, attributes);
  }

  @Override
  public void leave(String path) {
    // All was done when it was entered.
  }

  @Override
  public void unreadable(String path, boolean directory) {
    unreadable++;
  }

  @Override
  public void file(String path, HdfsFileStatus status, Map<String, byte[]> attributes)
      throws IOException {
    requireNoOther(path, attributes);
    if (FileJudge.ownRules(status).isPresent()) {
      leftOut++;
    } else {
      files.file(path, status);
    }
  }

  private void requireNoOther(String path, Map<String, byte[]> attributes) {
    if (!path.equals(from) && PathPolicy.ownPlacement(path, attributes).isPresent()) {
      throw OperatorException.badInput(
          path
              + " has a policy of its own, which holds there and not that of "
              + from
              + ": name each by itself (one that a flush gave is taken back by 'tierwise undo')");
    }
  }
}
