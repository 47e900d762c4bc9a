package io.tierwise.hadoop.autotier;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The right to be the one daemon: a file in HDFS that is held open for writing, as HDFS's Balancer
 * and our mover have theirs. It ends with its process: at once when that ends by itself, after
 * HDFS's lease limit of a minute when it is killed. It is no lock of the mover: a person's own
 * moves go on.
 */
final class Lease implements Closeable {
  private final DistributedFileSystem fs;
  private final Path file;
  private final FSDataOutputStream out;
  private final long fileId;

  private Lease(DistributedFileSystem fs, Path file, FSDataOutputStream out, long fileId) {
    this.fs = fs;
    this.file = file;
    this.out = out;
    this.fileId = fileId;
  }

  /**
   * Takes it; empty while another process has it, or HDFS has yet to close that of a killed one.
   */
  static Optional<Lease> tryTake(DistributedFileSystem fs, Path file, String owner)
      throws IOException {
    try {
      if (fs.exists(file)) {
        // Fails as long as somebody else holds it open.
        fs.append(file).close();
        fs.delete(file, false);
      }
      FSDataOutputStream out = fs.createFile(file).replicate().recursive().build();
      out.write(owner.getBytes(StandardCharsets.UTF_8));
      out.hflush();
      return Optional.of(new Lease(fs, file, out, fileId(fs, file)));
    } catch (FileAlreadyExistsException | FileNotFoundException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      IOException cause = e.unwrapRemoteException();
      if (cause instanceof AlreadyBeingCreatedException
          || cause instanceof RecoveryInProgressException
          || cause instanceof FileAlreadyExistsException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static long fileId(DistributedFileSystem fs, Path file) throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(file.toUri().getPath());
    return status == null ? -1 : status.getFileId();
  }

  /** Whether it is still ours: a process that was stopped for more than a minute may lose it. */
  boolean holds() throws IOException {
    return fileId(fs, file) == fileId && !fs.isFileClosed(file);
  }

  /** Gives it back. */
  @Override
  public void close() throws IOException {
    boolean ours = holds();
    out.close();
    if (ours) {
      fs.delete(file, false);
    }
  }
}
