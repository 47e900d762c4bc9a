package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.HeldFile;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The right to be the one daemon: a file in HDFS that is held open for writing, as HDFS's Balancer
 * and our mover have theirs. It ends with its process: at once when that ends by itself, after
 * HDFS's lease limit of a minute when it is killed. It is no lock of the mover: a person's own
 * moves go on. HDFS's client renews it each half minute in a thread of its own, so that a daemon
 * that waits for an answer, as of a store when it begins, keeps it.
 *
 * <p>Each holder makes a file of its own, which is known by its inode id: under its name another
 * holder's may stand at any moment.
 */
final class Lease implements Closeable {
  private final DistributedFileSystem fs;
  private final Path file;
  private final FSDataOutputStream out;

  private Lease(DistributedFileSystem fs, Path file, FSDataOutputStream out) {
    this.fs = fs;
    this.file = file;
    this.out = out;
  }

  /**
   * Takes it; empty while another process has it, or HDFS has yet to close that of a killed one.
   */
  static Optional<Lease> tryTake(DistributedFileSystem fs, Path file) throws IOException {
    try {
      if (fs.exists(file)) {
        HeldFile.deleteLeft(fs, file);
      }
      // By default createFile() overwrites, and HDFS deletes also a file that is held open: another
      // process may have taken the lease since the look above.
      // Nothing is written: a block would have to be recovered first when another takes it over,
      // and until that is done HDFS would still name us as its writer.
      return Optional.of(
          new Lease(
              fs, file, fs.createFile(file).overwrite(false).replicate().recursive().build()));
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

  /**
   * Whether it is still ours. The call renews it, so that it stays ours for a minute after that. A
   * process that stood still for longer may have lost it, or lose it during the call. The NameNode
   * is asked who may write to the file: its answer is right also while another process takes over.
   */
  boolean holds() throws IOException {
    DFSClient client = fs.getClient();
    String name = file.toUri().getPath();
    long id = HeldFile.id(out);
    if (!client.renewLease()) {
      // It gives up what it writes when the NameNode has been away for too long.
      return false;
    }
    if (!HeldFile.isHeld(client, name, id)) {
      return false;
    }
    // Somebody may have moved it away, for example to the trash.
    HdfsFileStatus named = client.getFileInfo(name);
    return named != null && named.getFileId() == id;
  }

  /** Gives it back. */
  @Override
  public void close() throws IOException {
    try {
      HeldFile.discard(fs, out);
    } catch (FileNotFoundException e) {
      // Another process has taken it over.
    }
  }
}
