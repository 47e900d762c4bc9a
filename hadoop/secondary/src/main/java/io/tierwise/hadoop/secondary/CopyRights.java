package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The rights of a copy in its store. The file's owner, group and others may read it as far as they
 * could reach the file through its directories. Nobody gets at a file's bytes by the store who
 * could not in HDFS.
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

  /**
   * Reads them.
   *
   * @throws StaysException when an access control list of a directory tells people apart whom a
   *     copy cannot
   */
  static CopyRights of(FileSystem primary, PrimaryFile file) throws IOException, StaysException {
    String owner = file.status().getOwner();
    String group = file.status().getGroup();
    FsPermission rights = file.status().getPermission();
    boolean ownerReads = rights.getUserAction().implies(FsAction.READ);
    boolean groupReads = rights.getGroupAction().implies(FsAction.READ);
    boolean othersRead = rights.getOtherAction().implies(FsAction.READ);
    for (Path above = file.hdfsPath().getParent(); above != null; above = above.getParent()) {
      FileStatus directory = primary.getFileStatus(above);
      FsPermission its = directory.getPermission();
      FsAction ofItsGroup =
          directory.hasAcl() ? ofGroup(primary.getAclStatus(above), above) : its.getGroupAction();
      boolean othersPass = its.getOtherAction().implies(FsAction.EXECUTE);
      boolean itsGroupPasses = ofItsGroup.implies(FsAction.EXECUTE);
      ownerReads &=
          directory.getOwner().equals(owner)
              ? its.getUserAction().implies(FsAction.EXECUTE)
              : itsGroupPasses || othersPass;
      groupReads &= directory.getGroup().equals(group) ? itsGroupPasses : othersPass;
      othersRead &= othersPass;
    }
    // This user reads the file in HDFS now, and its copy when it is taken up or comes back.
    ownerReads |= owner.equals(UserGroupInformation.getCurrentUser().getShortUserName());
    return new CopyRights(
        owner, group, new FsPermission(read(ownerReads), read(groupReads), read(othersRead)));
  }

  /**
   * The rights of a directory's own group, whose place in its permission is the list's mask.
   *
   * @throws StaysException when the list lets somebody pass whom others' rights keep out, or the
   *     other way round
   */
  private static FsAction ofGroup(AclStatus list, Path directory) throws StaysException {
    FsPermission mask = list.getPermission();
    boolean othersPass = mask.getOtherAction().implies(FsAction.EXECUTE);
    FsAction ofGroup = mask.getGroupAction();
    for (AclEntry entry : list.getEntries()) {
      if (entry.getScope() != AclEntryScope.ACCESS) {
        continue;
      }
      boolean passes = list.getEffectivePermission(entry).implies(FsAction.EXECUTE);
      if (entry.getName() != null && passes != othersPass) {
        throw new StaysException(
            "the access control list of a directory above it, which the copy could not keep, "
                + (passes ? "lets in" : "keeps out")
                + " some: "
                + directory.toUri().getPath());
      }
      if (entry.getName() == null && entry.getType() == AclEntryType.GROUP) {
        ofGroup = list.getEffectivePermission(entry);
      }
    }
    return ofGroup;
  }

  private static FsAction read(boolean may) {
    return may ? FsAction.READ : FsAction.NONE;
  }

  /**
   * Keeps files out of object stores that not everybody may read in HDFS.
   *
   * @throws StaysException when whoever has the store's keys could read what he may not
   */
  void requireKept(SecondaryStore store) throws IOException, StaysException {
    if (mode.getOtherAction() == FsAction.NONE && ObjectStores.is(store)) {
      throw new StaysException(
          "not everybody may read it, and the secondary store "
              + store
              + " keeps no rights: whoever has its keys could read the copy");
    }
  }

  /**
   * Gives them to a file of the store, if that keeps any.
   *
   * @throws StaysException when the store cannot, and somebody could not read the file any more
   */
  void give(SecondaryStore store, Path path) throws IOException, StaysException {
    if (ObjectStores.is(store)) {
      return;
    }
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
