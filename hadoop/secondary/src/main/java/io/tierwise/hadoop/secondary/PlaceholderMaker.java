package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a placeholder beside its file, ready to take its place. */
final class PlaceholderMaker {
  private static final Logger LOG = LoggerFactory.getLogger(PlaceholderMaker.class);

  /** The superuser, too, is refused to read a file with it; it can never be taken away again. */
  private static final String UNREADABLE = "security.hdfs.unreadable.by.superuser";

  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final long BODY_BLOCK_BYTES = 1 << 20;
  private static final int BUFFER_BYTES = 4096;

  private final DistributedFileSystem fs;

  PlaceholderMaker(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** Makes an empty one, and returns its inode id, which the copy is named after. */
  long begin(PrimaryFile file) throws IOException {
    Path work = work(file);
    create(file, work, Placeholder.blockBytes(file.status().getLen())).close();
    return statusOf(work).getFileId();
  }

  private static Path work(PrimaryFile file) {
    return file.work("placeholder");
  }

  private FSDataOutputStream create(PrimaryFile file, Path path, long blockBytes)
      throws IOException {
    fs.delete(path, false);
    return fs.createFile(path)
        .overwrite(true)
        .permission(OWNER_ONLY)
        .bufferSize(BUFFER_BYTES)
        .replication(replication(file, path))
        .blockSize(blockBytes)
        .replicate()
        .build();
  }

  /** A file under an erasure code has one replica by its number, and is safer than that. */
  private short replication(PrimaryFile file, Path path) {
    return file.status().getErasureCodingPolicy() == null
        ? file.status().getReplication()
        : fs.getDefaultReplication(path);
  }

  private HdfsFileStatus statusOf(Path path) throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(path.toString());
    if (status == null) {
      throw new IOException("another run took away " + path + ": run again");
    }
    return status;
  }

  /**
   * Fills it, and gives it its file's owner and times and the rights that nobody reads it by.
   *
   * @throws StaysException when HDFS would let others read it all the same
   */
  void finish(PrimaryFile file) throws IOException, StaysException {
    Path work = work(file);
    // HDFS allots a block of the preferred size, which no DataNode has room for: a file of small
    // blocks gives it its own.
    Path body = file.work("body");
    try (FSDataOutputStream out = create(file, body, BODY_BLOCK_BYTES)) {
      out.write(Placeholder.body(file.status().getLen()));
    }
    fs.concat(work, new Path[] {body});
    fs.setTimes(work, file.status().getModificationTime(), -1);
    HdfsFileStatus made = statusOf(work);
    if (made.hasAcl()) {
      fs.removeAcl(work);
    }
    if (!made.getOwner().equals(file.status().getOwner())) {
      fs.setOwner(work, file.status().getOwner(), null);
    }
    if (!made.getGroup().equals(file.status().getGroup())) {
      fs.setOwner(work, null, file.status().getGroup());
    }
    fs.setXAttr(work, UNREADABLE, null, EnumSet.of(XAttrSetFlag.CREATE));
    fs.setPermission(work, Placeholder.closed(file.status().getPermission()));
    requireUnreadable(work);
  }

  private void requireUnreadable(Path work) throws IOException, StaysException {
    try {
      fs.open(work).close();
    } catch (AccessControlException e) {
      return;
    }
    throw new StaysException(
        "HDFS lets everybody read every file (dfs.permissions.enabled is false), and other clients"
            + " would take the placeholder for the file");
  }

  /**
   * Takes away what was made; what cannot be, the next run or 'secondary clean' takes away.
   *
   * @return whether the placeholder was there, and is not any more
   */
  boolean discard(PrimaryFile file) {
    discard(file.work("body"));
    return discard(work(file));
  }

  private boolean discard(Path path) {
    try {
      return fs.delete(path, false);
    } catch (IOException e) {
      LOG.warn("{} is left over", path, e);
      return false;
    }
  }
}
