package io.tierwise.lab.dfsio;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The folder of one bench, taken for it alone and removed with all that is in it. A file in it says
 * whose it is: HDFS lets one client make a file, but any number make a folder.
 */
public final class DfsioFolder implements AutoCloseable {
  private final FileSystem fs;
  private final Path root;
  private boolean removed;

  private DfsioFolder(FileSystem fs, Path root) {
    this.fs = fs;
    this.root = root;
  }

  /**
   * Makes the folder.
   *
   * @throws OperatorException when it exists, or another bench makes it at this moment
   */
  public static DfsioFolder take(FileSystem fs, String directory) throws IOException {
    Path root = new Path(directory);
    if (fs.exists(root) || !isFirst(fs, new Path(root, "in-use"))) {
      throw OperatorException.badInput(
          directory + " exists: name another --directory, or remove it if no bench uses it");
    }
    return new DfsioFolder(fs, root);
  }

  private static boolean isFirst(FileSystem fs, Path file) throws IOException {
    try {
      fs.create(file, false).close();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (RemoteException e) {
      // The other one has made it and not closed it yet.
      if (AlreadyBeingCreatedException.class.getName().equals(e.getClassName())) {
        return false;
      }
      throw e;
    }
  }

  /** Whether nothing of it is left. */
  public boolean removed() {
    return removed;
  }

  /** Also for a thread that is interrupted: the interrupt has done its work. */
  @Override
  public void close() throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      removed = fs.delete(root, true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
