package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Finds stored files that belong to no file of HDFS, and asks of each whether something may still
 * need it.
 */
final class Orphans {
  /** Only files that we write: people may have put others there. */
  private static final Pattern NAME =
      Pattern.compile("((\\d{1,18})(?:\\.(" + Attempt.PATTERN + ")\\.(part|older))?)(\\.meta)?");

  /** Takes the stored files that belong to no file of HDFS. */
  interface Visitor {
    /** It is of no use. */
    void orphan(SecondaryStore store, FileStatus stored, long id, boolean unfinished);

    /** It stays, by a rule. */
    void kept(FileStatus stored, String reason);

    /** It stays, since nobody can tell whose it is. */
    void unknown(FileStatus stored, UnknownCopyException e);
  }

  private final SecondaryTier tier;
  private final RollbackGuard rollback;
  private final Visitor visitor;

  Orphans(SecondaryTier tier, RollbackGuard rollback, Visitor visitor) {
    this.tier = tier;
    this.rollback = rollback;
    this.visitor = visitor;
  }

  /**
   * Looks through a store.
   *
   * @param before what was written since is left alone: a run may be about it
   */
  void in(SecondaryStore store, String pool, long before) throws IOException {
    for (FileStatus folder : list(store, store.ofPool(pool))) {
      if (folder.isDirectory()) {
        among(store, list(store, folder.getPath()), before);
      }
    }
  }

  private void among(SecondaryStore store, FileStatus[] files, long before) throws IOException {
    // An observer may lag behind. It is not asked before it knows each inode that was there when
    // the files got these names.
    tier.fs().msync();
    Set<String> young = young(files, before);
    for (FileStatus stored : files) {
      Matcher name = NAME.matcher(stored.getPath().getName());
      if (stored.isFile() && name.matches() && !young.contains(name.group(2))) {
        one(store, stored, name, before);
      }
    }
  }

  /**
   * The numbers of which something was written since: bytes that were given another number have
   * their old time, and their new description tells.
   */
  private static Set<String> young(FileStatus[] files, long before) {
    Set<String> young = new HashSet<>();
    for (FileStatus stored : files) {
      Matcher name = NAME.matcher(stored.getPath().getName());
      if (name.matches() && stored.getModificationTime() > before) {
        young.add(name.group(2));
      }
    }
    return young;
  }

  /** By name, so that bytes go before the description that tells whose they are. */
  private static FileStatus[] list(SecondaryStore store, Path directory) throws IOException {
    try {
      FileStatus[] found = store.fs().listStatus(directory);
      Arrays.sort(found);
      return found;
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    } catch (IOException e) {
      throw new StoreException(store, "cannot be read", e);
    }
  }

  private void one(SecondaryStore store, FileStatus stored, Matcher name, long before)
      throws IOException {
    long id = Long.parseLong(name.group(2));
    String kind = name.group(4);
    if ("part".equals(kind)) {
      visitor.orphan(store, stored, id, true);
    } else if (kind == null ? hasNoInode(id) : isBefore(name.group(3), before)) {
      copyOfNoFile(store, stored, id, name.group(1));
    }
  }

  /** A younger attempt may put back the older copy that it set aside. */
  private static boolean isBefore(String attempt, long before) {
    return Attempt.parse(attempt).filter(at -> at.begun().toEpochMilli() <= before).isPresent();
  }

  private void copyOfNoFile(SecondaryStore store, FileStatus stored, long id, String name)
      throws IOException {
    Optional<String> reason;
    try {
      StoredCopy copy = new StoredCopy(store, new Path(stored.getPath().getParent(), name));
      reason = whyKept(copy, stored);
    } catch (UnknownCopyException e) {
      visitor.unknown(stored, e);
      return;
    }
    if (reason.isPresent()) {
      visitor.kept(stored, reason.get());
    } else {
      visitor.orphan(store, stored, id, false);
    }
  }

  private Optional<String> whyKept(StoredCopy copy, FileStatus stored) throws IOException {
    Optional<String> upgrade = rollback.beforeRollback();
    if (upgrade.isPresent()) {
      return upgrade;
    }
    // Asked anew: a snapshot may have been taken since, and the placeholder deleted.
    Optional<String> snapshot = SnapshotGuard.since(tier.fs(), stored);
    if (snapshot.isPresent()) {
      return snapshot;
    }
    Optional<CopyDescription> description = StoreFiles.description(copy);
    long fileBytes = description.map(CopyDescription::length).orElse(stored.getLen());
    return rollback
        .afterRollback(fileBytes, description)
        .map(
            path ->
                "a placeholder like its own has no copy under its number, as after a rollback of"
                    + " HDFS: see whether it is this one's (the .meta tells), and rename it then: "
                    + path);
  }

  private boolean hasNoInode(long id) throws IOException {
    HdfsFileStatus status;
    DistributedFileSystem fs = tier.fs();
    try {
      status = fs.getClient().getFileInfo(PrimaryFile.byId(id));
    } catch (FileNotFoundException e) {
      return true;
    } catch (RemoteException e) {
      if (e.getClassName().equals(IllegalArgumentException.class.getName())) {
        // The NameNode has it, and fails to tell the path of one that a snapshot alone holds.
        return false;
      }
      throw e;
    }
    return status == null;
  }
}
