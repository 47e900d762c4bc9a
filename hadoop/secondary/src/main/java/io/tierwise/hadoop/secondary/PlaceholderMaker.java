package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.DataChecksum;
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

  /** Independent of the client's configuration: the block size tells a length in units of it. */
  private static final ChecksumOpt CHECKSUMS =
      new ChecksumOpt(DataChecksum.Type.CRC32C, Placeholder.UNIT);

  private final DistributedFileSystem fs;
  private final PrimaryFile file;
  private final Path work;
  private final Path body;

  PlaceholderMaker(DistributedFileSystem fs, PrimaryFile file, Attempt attempt) {
    this.fs = fs;
    this.file = file;
    this.work = file.work(attempt, WorkName.Kind.PLACEHOLDER);
    this.body = file.work(attempt, WorkName.Kind.BODY);
  }

  /** Where it stands until it takes the file's place. */
  Path path() {
    return work;
  }

  /** Makes an empty one, and returns its inode id, which the copy is named after. */
  long begin() throws IOException {
    create(work, Placeholder.blockBytes(file.status().getLen())).close();
    return statusOf(work).getFileId();
  }

  private FSDataOutputStream create(Path path, long blockBytes) throws IOException {
    return fs.create(
        path,
        OWNER_ONLY,
        EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE),
        BUFFER_BYTES,
        replication(path),
        blockBytes,
        null,
        CHECKSUMS);
  }

  /** A file under an erasure code has one replica by its number, and is safer than that. */
  private short replication(Path path) {
    return file.status().getErasureCodingPolicy() == null
        ? file.status().getReplication()
        : fs.getDefaultReplication(path);
  }

  /** HDFS may be configured to refuse blocks that small. */
  private FSDataOutputStream createBody() throws IOException {
    try {
      return create(body, BODY_BLOCK_BYTES);
    } catch (RemoteException e) {
      if (!String.valueOf(e.getMessage()).contains("min-block-size")) {
        throw e;
      }
      return create(body, fs.getServerDefaults(body).getBlockSize());
    }
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
  void finish() throws IOException, StaysException {
    // HDFS allots a block of the preferred size, which no DataNode has room for: a file of small
    // blocks gives it its own.
    try (FSDataOutputStream out = createBody()) {
      out.write(Placeholder.body(file.status().getLen()));
    }
    fs.concat(work, new Path[] {body});
    fs.setTimes(work, file.status().getModificationTime(), file.status().getAccessTime());
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
    requireUnreadable();
  }

  private void requireUnreadable() throws IOException, StaysException {
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
   * Deletes what was made; 'secondary clean' deletes what this cannot.
   *
   * @return whether the placeholder was there, and is not any more
   */
  boolean discard() {
    discard(body);
    return discard(work);
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
