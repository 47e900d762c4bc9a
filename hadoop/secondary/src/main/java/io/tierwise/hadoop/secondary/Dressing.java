package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a file that comes back all that it had, and what its placeholder got meanwhile. */
final class Dressing {
  private static final Logger LOG = LoggerFactory.getLogger(Dressing.class);

  private final DistributedFileSystem fs;
  private final LazyCopies lazy;
  private final long fileId;
  private final Path work;
  private final boolean hasCopy;

  /**
   * @param fileId of the file: its name may be another user's file by now
   * @param hasCopy whether the file takes over its placeholder's copy
   */
  Dressing(DistributedFileSystem fs, LazyCopies lazy, long fileId, boolean hasCopy) {
    this.fs = fs;
    this.lazy = lazy;
    this.fileId = fileId;
    this.work = new Path(PrimaryFile.byId(fileId));
    this.hasCopy = hasCopy;
  }

  /**
   * Does it.
   *
   * @param placeholder as it is now: owner, times and replication are its own, which may be newer
   * @return whether the file tells of its copy; one with as many attributes as HDFS lets it have
   *     cannot
   */
  boolean dress(Metadata placeholder, CopyDescription of) throws IOException {
    HdfsFileStatus now = placeholder.status();
    if (now.hasAcl()) {
      throw new IOException(
          "somebody gave its placeholder an access control list, which means other rights for the"
              + " file: take it away with 'hdfs dfs -setfacl -b', and give it to the file after");
    }
    HdfsFileStatus made = fs.getClient().getFileInfo(work.toString());
    if (made == null || made.getFileId() != fileId || made.getLen() != of.length()) {
      throw new IOException("somebody took away what was made for it: run again");
    }
    if (made.hasAcl()) {
      fs.removeAcl(work);
    }
    givePolicy(of.storagePolicy());
    for (Map.Entry<String, byte[]> one : attributes(placeholder, of).entrySet()) {
      byte[] value = one.getValue().length == 0 ? null : one.getValue();
      fs.setXAttr(work, one.getKey(), value, EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
    dropWhatTheSuperuserTook(placeholder, of);
    boolean marked = hasCopy && mark(of, now.getModificationTime());
    if (of.ecPolicy() == null && made.getReplication() != now.getReplication()) {
      fs.setReplication(work, now.getReplication());
    }
    fs.setTimes(work, now.getModificationTime(), now.getAccessTime());
    fs.setPermission(work, Placeholder.again(new FsPermission(of.mode()), now.getPermission()));
    if (!made.getOwner().equals(now.getOwner())) {
      fs.setOwner(work, now.getOwner(), null);
    }
    if (!made.getGroup().equals(now.getGroup())) {
      fs.setOwner(work, null, now.getGroup());
    }
    return marked;
  }

  /**
   * HDFS refuses some storage policies for files that are written: such files come back without
   * one.
   */
  private void givePolicy(String policy) throws IOException {
    if (policy == null || fs.getStoragePolicy(work).getName().equals(policy)) {
      return;
    }
    try {
      fs.setStoragePolicy(work, policy);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} comes back without its storage policy {}", work, policy, e);
    }
  }

  /**
   * Drops secret attributes that the placeholder has no longer. Only the superuser gets this far,
   * and he sees all of them: somebody took those away since the file was offloaded.
   */
  private void dropWhatTheSuperuserTook(Metadata placeholder, CopyDescription of)
      throws IOException {
    for (Map.Entry<String, byte[]> one : of.attributes().entrySet()) {
      if (Metadata.isSecret(one.getKey())
          && one.getValue().length == 0
          && !placeholder.attributes().containsKey(one.getKey())) {
        fs.removeXAttr(work, one.getKey());
      }
    }
  }

  /** The file's own, and those that somebody gave to its placeholder since. */
  private static Map<String, byte[]> attributes(Metadata placeholder, CopyDescription of) {
    Map<String, byte[]> all = new HashMap<>(of.attributes());
    placeholder
        .attributes()
        .forEach(
            (name, value) -> {
              if (!name.startsWith("security.")) {
                all.put(name, value);
              }
            });
    return all;
  }

  private boolean mark(CopyDescription of, long mtime) {
    try {
      lazy.mark(work, of, mtime);
      return true;
    } catch (IOException e) {
      LOG.info("{} comes back without a mark of its copy", work, e);
      return false;
    }
  }
}
