package io.tierwise.hadoop.hdfs.secondary;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A directory of a file system that holds copies. A copy's name is the inode id of the file or
 * placeholder that it belongs to, below the name of the NameNode's block pool: ids are never used
 * twice, and follow a file when it is renamed.
 *
 * <p>It is reached at the first use, as the user that it was made for.
 */
public final class SecondaryStore implements Closeable {
  private static final int FOLDERS = 256;

  private final URI uri;
  private final Path root;
  private final Configuration conf;
  private final UserGroupInformation user;
  private FileSystem opened;

  /**
   * @param uri with scheme and path
   */
  SecondaryStore(URI uri, Configuration conf, UserGroupInformation user) {
    this.uri = uri;
    this.root = new Path(uri);
    this.conf = conf;
    this.user = user;
  }

  /** The directory. */
  public Path root() {
    return root;
  }

  /**
   * The file system of the store. Of a local one (a mounted NAS) the plain files, without Hadoop's
   * checksum files beside them: ours are stronger, and other programs see one file.
   */
  public synchronized FileSystem fs() throws IOException {
    if (opened == null) {
      try {
        opened =
            user.doAs(
                (PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(uri, conf));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      } catch (RuntimeException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
    return opened instanceof LocalFileSystem local ? local.getRawFileSystem() : opened;
  }

  /** The directory of one namespace's copies. */
  public Path ofPool(String pool) {
    return new Path(root, pool);
  }

  /** The copy of a file. */
  public StoredCopy copy(String pool, long fileId) {
    String folder = String.format("%02x", fileId % FOLDERS);
    return new StoredCopy(this, new Path(new Path(ofPool(pool), folder), Long.toString(fileId)));
  }

  @Override
  public synchronized void close() throws IOException {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }

  /** As the configuration has it. */
  @Override
  public String toString() {
    return uri.toString();
  }
}
