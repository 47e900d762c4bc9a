package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes the directories that copies stand in. Its owner can delete the copies in it, whoever they
 * belong to. So one operator offloads for all, and nobody else writes there.
 */
final class StoreFolders {
  private StoreFolders() {}

  /**
   * Makes those of a copy. The root is there before, so that nothing is written below a mount point
   * without its mount.
   *
   * @throws IOException one line, when another user owns one
   */
  static void make(StoredCopy copy) throws IOException {
    SecondaryStore store = copy.store();
    Path folder = copy.data().getParent();
    FileStatus root;
    try {
      root = store.fs().getFileStatus(store.root());
      makeOne(store.fs(), folder.getParent(), root);
      makeOne(store.fs(), folder, root);
    } catch (IOException e) {
      throw new StoreException(store, "cannot be written", e);
    }
    requireOwner(store, folder.getParent(), root);
    requireOwner(store, folder, root);
  }

  private static void makeOne(FileSystem fs, Path made, FileStatus root) throws IOException {
    if (!fs.exists(made)) {
      FsPermission rights = closed(root.getPermission());
      try {
        if (!fs.mkdirs(made, rights)) {
          throw refusal(fs, made);
        }
        fs.setPermission(made, rights);
      } catch (IOException | UnsupportedOperationException e) {
        // Some mounts make it and refuse to give it rights. Where it was not made, the first error
        // says why.
        if (!fs.exists(made) || !isAsGood(fs.getFileStatus(made).getPermission(), rights, root)) {
          throw e;
        }
      }
    }
  }

  /** Local file systems do not say why they make no directory: mostly, rights are missing. */
  private static IOException refusal(FileSystem fs, Path made) throws IOException {
    fs.access(made.getParent(), FsAction.WRITE_EXECUTE);
    return new IOException("it made no directory " + made.getName());
  }

  /** Whether all who should come to it do, and nobody else writes there than writes to the root. */
  private static boolean isAsGood(FsPermission has, FsPermission wanted, FileStatus root) {
    return has.getUserAction().implies(wanted.getUserAction())
        && has.getGroupAction().implies(wanted.getGroupAction())
        && has.getOtherAction().implies(wanted.getOtherAction())
        && (!has.getOtherAction().implies(FsAction.WRITE) || isOpen(root));
  }

  /** Others come to copies as they come to the root, and write nowhere. */
  private static FsPermission closed(FsPermission root) {
    return new FsPermission(
        FsAction.ALL,
        root.getGroupAction().and(FsAction.READ_EXECUTE),
        root.getOtherAction().and(FsAction.READ_EXECUTE));
  }

  private static void requireOwner(SecondaryStore store, Path made, FileStatus root)
      throws IOException {
    String owner = store.fs().getFileStatus(made).getOwner();
    Set<String> trusted =
        Set.copyOf(
            List.of(
                root.getOwner(),
                UserGroupInformation.getCurrentUser().getShortUserName(),
                System.getProperty("user.name")));
    if (!trusted.contains(owner)) {
      throw new IOException(
          made
              + " in the secondary store belongs to "
              + owner
              + ", who could take away the copies there: let "
              + root.getOwner()
              + ", who owns the store, offload for all, and give it the directory (chown)");
    }
  }

  /** Whether anybody may take away or replace what is in a store. */
  static boolean isOpen(FileStatus root) {
    FsPermission rights = root.getPermission();
    return rights.getOtherAction().implies(FsAction.WRITE) && !rights.getStickyBit();
  }
}
