package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory beside a file, into which nobody else looks, for the one call that HDFS takes paths
 * for alone. Whoever may write where it stands may put another directory in its place. But he does
 * not know the names in it, which are drawn at random, and can put no file under them.
 */
final class ClosedFolder {
  private static final Logger LOG = LoggerFactory.getLogger(ClosedFolder.class);
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);

  private final DistributedFileSystem fs;
  private final Path path;
  private final long id;

  private ClosedFolder(DistributedFileSystem fs, Path path, long id) {
    this.fs = fs;
    this.path = path;
    this.id = id;
  }

  /**
   * Makes it.
   *
   * @param path of a directory that is there, and of nothing in it
   * @param owner whom files belong to that this user makes
   */
  static ClosedFolder make(DistributedFileSystem fs, Path path, String owner) throws IOException {
    fs.mkdir(path, OWNER_ONLY);
    HdfsFileStatus made = fs.getClient().getFileInfo(path.toString());
    if (made == null
        || !made.isDirectory()
        || !made.getOwner().equals(owner)
        || !made.getPermission().equals(OWNER_ONLY)) {
      throw new IOException("somebody else put something in the place of " + path + ": run again");
    }
    return new ClosedFolder(fs, path, made.getFileId());
  }

  /** A name in it, which finds nothing when another directory has its path. */
  Path byPath(String name) {
    return new Path(path, name);
  }

  /** The same name in this very directory, wherever it is. */
  Path byId(String name) {
    return new Path(PrimaryFile.byId(id), name);
  }

  /** Takes a file in, wherever that is. */
  void take(long fileId, String name) throws IOException {
    fs.getClient().rename(PrimaryFile.byId(fileId), byId(name).toString(), Options.Rename.NONE);
  }

  /** Deletes it when it is empty; else, and when HDFS does not answer, cleaning does. */
  void remove() {
    try {
      fs.delete(new Path(PrimaryFile.byId(id)), false);
    } catch (IOException e) {
      LOG.warn("{} is left over", path, e);
    }
  }
}
