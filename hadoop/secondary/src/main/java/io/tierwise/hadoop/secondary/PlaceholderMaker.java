package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
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

/**
 * Makes a placeholder beside its file, ready to take its place. Others may write there. So what was
 * made is changed by its inode id alone: under its name may be another user's file by then.
 */
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
  private final Attempt attempt;
  private final Steps steps;
  private final String name = WorkName.draw();
  private final String body = WorkName.bodyOf(name);
  private long id;
  private Path made;
  private ClosedFolder folder;
  private boolean finished;

  PlaceholderMaker(DistributedFileSystem fs, PrimaryFile file, Attempt attempt, Steps steps) {
    this.fs = fs;
    this.file = file;
    this.attempt = attempt;
    this.steps = steps;
  }

  /** Makes an empty one, and returns its inode id, which the copy is named after. */
  long begin() throws IOException {
    Path work = file.work(attempt, WorkName.Kind.PLACEHOLDER);
    try (FSDataOutputStream out = create(work, Placeholder.blockBytes(file.status().getLen()))) {
      id = CreatedFile.id(out);
    }
    made = new Path(PrimaryFile.byId(id));
    return id;
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
    Path path = folder.byId(body);
    try {
      return create(path, BODY_BLOCK_BYTES);
    } catch (RemoteException e) {
      if (!String.valueOf(e.getMessage()).contains("min-block-size")) {
        throw e;
      }
      return create(path, fs.getServerDefaults(path).getBlockSize());
    }
  }

  private HdfsFileStatus statusNow() throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(made.toString());
    if (status == null || status.getFileId() != id) {
      throw new IOException("somebody took away what was made for it: run again");
    }
    return status;
  }

  /**
   * Fills it, and gives it its file's owner, times and secret attributes, and the rights that
   * nobody reads it by.
   *
   * @throws StaysException when HDFS would let others read it all the same
   */
  void finish(Metadata before) throws IOException, StaysException {
    HdfsFileStatus was = statusNow();
    // From now on nobody else can move it. Before, that would have kept others from looking through
    // the directory, as du and rm -r do, while the file is copied.
    folder = ClosedFolder.make(fs, file.work(attempt, WorkName.Kind.FOLDER), was.getOwner());
    folder.take(id, name);
    steps.made("placeholder enclosed");
    // HDFS allots a block of the preferred size, which no DataNode has room for: a file of small
    // blocks gives it its own. HDFS takes no ids for that.
    try (FSDataOutputStream out = createBody()) {
      out.write(Placeholder.body(file.status().getLen()));
    }
    fs.concat(folder.byPath(name), new Path[] {folder.byPath(body)});
    dress(was, before.secret());
    requireUnreadable();
    requireWhole();
    finished = true;
  }

  private void dress(HdfsFileStatus was, Map<String, byte[]> secret) throws IOException {
    fs.setTimes(made, file.status().getModificationTime(), file.status().getAccessTime());
    if (was.hasAcl()) {
      fs.removeAcl(made);
    }
    if (!was.getOwner().equals(file.status().getOwner())) {
      fs.setOwner(made, file.status().getOwner(), null);
    }
    if (!was.getGroup().equals(file.status().getGroup())) {
      fs.setOwner(made, null, file.status().getGroup());
    }
    for (Map.Entry<String, byte[]> one : secret.entrySet()) {
      byte[] value = one.getValue().length == 0 ? null : one.getValue();
      fs.setXAttr(made, one.getKey(), value, EnumSet.of(XAttrSetFlag.CREATE));
    }
    fs.setXAttr(made, UNREADABLE, null, EnumSet.of(XAttrSetFlag.CREATE));
    fs.setPermission(made, Placeholder.closed(file.status().getPermission()));
  }

  private void requireUnreadable() throws IOException, StaysException {
    try {
      fs.open(made).close();
    } catch (AccessControlException e) {
      return;
    }
    throw new StaysException(
        "HDFS lets everybody read every file (dfs.permissions.enabled is false), and other clients"
            + " would take the placeholder for the file");
  }

  private void requireWhole() throws IOException {
    if (Placeholder.fileBytes(statusNow(), file.path()) != file.status().getLen()) {
      throw new IOException("somebody changed what was made for it: run again");
    }
  }

  /** Deletes what is not needed any more when the placeholder has taken the file's place. */
  void settle() {
    folder.remove();
  }

  /**
   * Deletes what was made; 'secondary clean' deletes what this cannot.
   *
   * @return whether the placeholder was there, and is not any more
   */
  boolean discard() {
    // Once it was ready it may be the file's by now, since the answer of that step may have been
    // lost. Then it is not in the folder any more.
    boolean gone = discard(finished ? folder.byId(name) : made);
    if (folder != null) {
      discard(folder.byId(body));
      folder.remove();
    }
    return gone;
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
