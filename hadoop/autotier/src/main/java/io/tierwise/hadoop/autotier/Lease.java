package io.tierwise.hadoop.autotier;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The right to be the one daemon: a file in HDFS that is held open for writing, as HDFS's Balancer
 * and our mover have theirs. It ends with its process: at once when that ends by itself, after
 * HDFS's lease limit of a minute when it is killed. It is no lock of the mover: a person's own
 * moves go on.
 *
 * <p>Each holder makes a file of its own, which is known by its inode id: under its name another
 * holder's may stand at any moment.
 */
final class Lease implements Closeable {
  private static final int BUFFER_BYTES = 512;

  /** Tells the NameNode to leave the block's length as it knows it. */
  private static final long NO_LENGTH = -1;

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
        // Fails as long as somebody else holds it open. Nothing is appended to it.
        discard(
            fs,
            fs.append(
                file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), BUFFER_BYTES, null));
      }
      // Nothing is written: a block would have to be recovered first when another takes it over,
      // and until that is done HDFS would still name us as its writer.
      return Optional.of(new Lease(fs, file, fs.createFile(file).replicate().recursive().build()));
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
   * Deletes a file that is held open. It is closed afterwards, so that nobody can take it over
   * meanwhile, and is deleted by its id: whoever has stood still may have lost it long ago.
   *
   * @throws FileNotFoundException when it was lost and deleted
   */
  private static void discard(DistributedFileSystem fs, FSDataOutputStream out) throws IOException {
    fs.delete(new Path("/.reserved/.inodes/" + fileId(out)), false);
    // Fails, as the file is gone.
    IOUtils.closeStream(out);
  }

  /** The id of the file that was opened, which the NameNode told with it. */
  private static long fileId(FSDataOutputStream out) {
    OutputStream stream = out.getWrappedStream();
    // In an encryption zone.
    OutputStream plain =
        stream instanceof CryptoOutputStream crypto ? crypto.getWrappedStream() : stream;
    return ((DFSOutputStream) plain).getFileId();
  }

  /**
   * Whether it is still ours. The call renews it, so that it stays ours for a minute after that. A
   * process that stood still for longer may have lost it, or lose it during the call. The NameNode
   * is asked who may write to the file: its answer is right also while another process takes over.
   */
  boolean holds() throws IOException {
    DFSClient client = fs.getClient();
    String name = file.toUri().getPath();
    long id = fileId(out);
    if (!client.renewLease()) {
      // It gives up what it writes when the NameNode has been away for too long.
      return false;
    }
    try {
      client.getNamenode().fsync(name, id, client.getClientName(), NO_LENGTH);
    } catch (RemoteException e) {
      IOException cause =
          e.unwrapRemoteException(LeaseExpiredException.class, FileNotFoundException.class);
      if (cause == e) {
        throw e;
      }
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
      discard(fs, out);
    } catch (FileNotFoundException e) {
      // Another process has taken it over.
    }
  }
}
