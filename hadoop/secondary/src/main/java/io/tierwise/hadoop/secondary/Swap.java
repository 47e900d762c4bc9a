package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Lets one file take another's place, in one step of the NameNode.
 *
 * <p>Both are named by their inode ids, which the NameNode looks up in that step: where no snapshot
 * holds it, a file that was deleted, or that another one has replaced, is not hurt, and one that
 * was renamed is replaced where it is now.
 */
final class Swap {
  private static final int BUFFER_BYTES = 4096;

  private final DistributedFileSystem fs;
  private final Steps steps;

  Swap(DistributedFileSystem fs, Steps steps) {
    this.fs = fs;
    this.steps = steps;
  }

  /**
   * Replaces a file that must not change any more. Its lease is held meanwhile, so that nobody
   * appends to it, truncates or opens it for writing.
   *
   * @param before what it was when its copy was begun
   * @throws IOException when it changed since, or somebody writes it
   */
  void replaceLeased(PrimaryFile file, long byId, Metadata before) throws IOException {
    FSDataOutputStream lease = lease(file);
    boolean replaced = false;
    try {
      replace(file, byId, before);
      replaced = true;
    } finally {
      release(lease, replaced ? null : find(file.fileId()));
    }
  }

  private FSDataOutputStream lease(PrimaryFile file) throws IOException {
    try {
      return fs.append(
          new Path(PrimaryFile.byId(file.fileId())),
          EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK),
          BUFFER_BYTES,
          null);
    } catch (FileNotFoundException e) {
      throw new IOException("it was deleted or replaced while it was copied", e);
    }
  }

  /** Null also when the NameNode does not answer: the lease is given back in any case. */
  private HdfsFileStatus find(long fileId) {
    try {
      return fs.getClient().getFileInfo(PrimaryFile.byId(fileId));
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Gives the lease back, which sets the file's time: it gets again the one that it had until then.
   *
   * @param file that is still there; null for none, whose lease the NameNode has not any more
   */
  private void release(FSDataOutputStream lease, HdfsFileStatus file) throws IOException {
    try {
      lease.close();
    } catch (IOException e) {
      if (file != null) {
        throw e;
      }
    }
    if (file != null) {
      fs.getClient().setTimes(PrimaryFile.byId(file.getFileId()), file.getModificationTime(), -1);
    }
  }

  /**
   * Replaces a file's inode by another.
   *
   * <p>A deleted inode that a snapshot holds resolves by its id to whatever has its old name now:
   * such files stay, and both ids are looked at once more. Between the last look and the step there
   * is nothing else, so that only a change in that very moment can be lost.
   *
   * @param before what the file was when it was read
   */
  void replace(PrimaryFile file, long by, Metadata before) throws IOException {
    Optional<String> held = SnapshotGuard.whyNow(fs, file.fileId());
    if (held.isPresent()) {
      throw new IOException(held.get());
    }
    requireThere(by);
    steps.made("held");
    before.requireStill(Metadata.now(fs, file.fileId()));
    fs.getClient()
        .rename(PrimaryFile.byId(by), PrimaryFile.byId(file.fileId()), Options.Rename.OVERWRITE);
  }

  private void requireThere(long fileId) throws IOException {
    HdfsFileStatus found;
    try {
      found = fs.getClient().getFileInfo(PrimaryFile.byId(fileId));
    } catch (FileNotFoundException e) {
      found = null;
    }
    if (found == null || found.getFileId() != fileId) {
      throw new IOException("somebody took away what was made for it: run again");
    }
  }
}
