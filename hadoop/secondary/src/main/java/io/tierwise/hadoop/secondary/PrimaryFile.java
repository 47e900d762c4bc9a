package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.hdfs.secondary.SoughtCopy;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * A file, or the placeholder of one, as the NameNode listed it.
 *
 * @param path without its file system
 */
public record PrimaryFile(String path, HdfsLocatedFileStatus status) {
  /** Whether its bytes are in a secondary store alone. */
  public boolean isPlaceholder() {
    return Placeholder.is(status);
  }

  /**
   * The length of the file, wherever its bytes are.
   *
   * @throws IOException of a placeholder that was appended to
   */
  public long fileBytes() throws IOException {
    return isPlaceholder() ? Placeholder.fileBytes(status, path) : status.getLen();
  }

  /** The same; 0 of a placeholder that was appended to. */
  long knownBytes() {
    try {
      return fileBytes();
    } catch (IOException e) {
      return 0;
    }
  }

  long fileId() {
    return status.getFileId();
  }

  /** The block pool, by which the namespace is known; the file has blocks. */
  String pool() {
    return status.getLocatedBlocks().get(0).getBlock().getBlockPoolId();
  }

  /**
   * Reads what the placeholder tells of its copy.
   *
   * @throws IOException when somebody has appended to it
   */
  SoughtCopy soughtCopy() throws IOException {
    return SoughtCopy.of(status, path);
  }

  Path hdfsPath() {
    return new Path(path);
  }

  /** Finds this very file, under whatever path; in a snapshot no path changes. */
  Path idPath() {
    return path.contains("/.snapshot/") ? hdfsPath() : new Path(byId(fileId()));
  }

  /** Where an attempt makes something beside it. */
  Path work(Attempt attempt, WorkName.Kind kind) {
    return new Path(hdfsPath().getParent(), new WorkName(fileId(), attempt, kind).toString());
  }

  /** A file that an attempt made and did not take away, or makes just now. */
  boolean isWork() {
    return WorkName.of(hdfsPath()).isPresent();
  }

  /** The path by which the NameNode finds this very inode, and no other one of its name. */
  static String byId(long fileId) {
    return "/.reserved/.inodes/" + fileId;
  }
}
