package io.tierwise.hadoop.mover;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Files that are held open for writing, as a lock that ends with its process. Each holder has a
 * file of its own, which is known by its inode id: under its name another holder's may stand at any
 * moment, and HDFS deletes a file by its name also while somebody holds it open.
 */
public final class HeldFile {
  private static final int BUFFER_BYTES = 512;

  /** Tells the NameNode to leave the block's length as it knows it. */
  private static final long NO_LENGTH = -1;

  private HeldFile() {}

  /** The id of the file that was opened, which the NameNode told with it. */
  public static long id(FSDataOutputStream out) {
    OutputStream stream = out.getWrappedStream();
    // In an encryption zone.
    OutputStream plain =
        stream instanceof CryptoOutputStream crypto ? crypto.getWrappedStream() : stream;
    return ((DFSOutputStream) plain).getFileId();
  }

  static Path byId(long id) {
    return new Path("/.reserved/.inodes/" + id);
  }

  /**
   * Deletes a file that nobody holds; nothing is appended to it.
   *
   * @throws IOException as long as somebody holds it
   */
  public static void deleteLeft(DistributedFileSystem fs, Path file) throws IOException {
    discard(
        fs,
        fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.NEW_BLOCK), BUFFER_BYTES, null));
  }

  /**
   * Deletes a file that is held open. It is closed afterwards, so that nobody can take it over
   * meanwhile, and is deleted by its id: whoever has stood still may have lost it long ago.
   *
   * @throws FileNotFoundException when it was lost and deleted
   */
  public static void discard(DistributedFileSystem fs, FSDataOutputStream out) throws IOException {
    try {
      fs.delete(byId(id(out)), false);
    } finally {
      // Fails where the file is gone. Where it is not, the client would hold it for ever.
      IOUtils.closeStream(out);
    }
  }

  /**
   * Whether this client may still write to the file. The NameNode's answer is right also while
   * another process takes over.
   */
  public static boolean isHeld(DFSClient client, String name, long id) throws IOException {
    try {
      client.getNamenode().fsync(name, id, client.getClientName(), NO_LENGTH);
      return true;
    } catch (RemoteException e) {
      IOException cause =
          e.unwrapRemoteException(LeaseExpiredException.class, FileNotFoundException.class);
      if (cause == e) {
        throw e;
      }
      return false;
    }
  }
}
