package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Who may read a copy in its store: its file's owner, group and others, as far as they could come
 * to the file through its directories. Nobody gets at a file's bytes by the store who could not in
 * HDFS.
 */
final class CopyRights {
  private final String owner;
  private final String group;
  private final FsPermission mode;

  private CopyRights(String owner, String group, FsPermission mode) {
    this.owner = owner;
    this.group = group;
    this.mode = mode;
  }

  static CopyRights of(FileSystem primary, PrimaryFile file) throws IOException {
    String group = file.status().getGroup();
    boolean groupReads = file.status().getPermission().getGroupAction().implies(FsAction.READ);
    boolean othersRead = file.status().getPermission().getOtherAction().implies(FsAction.READ);
    for (Path above = file.hdfsPath().getParent(); above != null; above = above.getParent()) {
      FileStatus directory = primary.getFileStatus(above);
      FsPermission rights = directory.getPermission();
      boolean othersPass = rights.getOtherAction().implies(FsAction.EXECUTE);
      boolean groupPasses =
          directory.getGroup().equals(group)
              ? rights.getGroupAction().implies(FsAction.EXECUTE)
              : othersPass;
      othersRead &= othersPass;
      groupReads &= groupPasses;
    }
    return new CopyRights(
        file.status().getOwner(),
        group,
        new FsPermission(FsAction.READ, read(groupReads), read(othersRead)));
  }

  private static FsAction read(boolean may) {
    return may ? FsAction.READ : FsAction.NONE;
  }

  /**
   * Gives them to a file of the store.
   *
   * @throws StaysException when the store cannot, and somebody could not read the file any more
   */
  void give(SecondaryStore store, Path path) throws IOException, StaysException {
    FileSystem fs = store.fs();
    fs.setPermission(path, mode);
    FileStatus status = fs.getFileStatus(path);
    if (!status.getOwner().equals(owner)) {
      try {
        fs.setOwner(path, owner, null);
      } catch (IOException | UnsupportedOperationException e) {
        throw new StaysException(
            "its copy cannot be given to "
                + owner
                + ", whose file it is, in the store: run as the store's superuser, or as its"
                + " owner");
      }
    }
    if (!status.getGroup().equals(group)) {
      try {
        fs.setOwner(path, null, group);
      } catch (IOException | UnsupportedOperationException e) {
        boolean groupAloneReads =
            mode.getGroupAction() != FsAction.NONE && mode.getOtherAction() == FsAction.NONE;
        if (groupAloneReads) {
          throw new StaysException(
              "its copy cannot be given to the group "
                  + group
                  + ", which may read it, in the store: make the group there, or run as the store's"
                  + " superuser");
        }
      }
    }
  }
}
