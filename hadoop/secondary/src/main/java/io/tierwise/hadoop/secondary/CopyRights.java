package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
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
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
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
  private final boolean everybodyReads;

  private CopyRights(String owner, String group, FsPermission mode, boolean everybodyReads) {
    this.owner = owner;
    this.group = group;
    this.mode = mode;
    this.everybodyReads = everybodyReads;
  }

  /**
   * Reads them.
   *
   * @throws StaysException when a directory tells people apart whom a copy cannot
   */
  static CopyRights of(DistributedFileSystem primary, PrimaryFile file)
      throws IOException, StaysException {
    String owner = file.status().getOwner();
    String group = file.status().getGroup();
    FsPermission rights = file.status().getPermission();
    boolean ownerReads = rights.getUserAction().implies(FsAction.READ);
    boolean groupReads = rights.getGroupAction().implies(FsAction.READ);
    boolean othersRead = rights.getOtherAction().implies(FsAction.READ);
    boolean everybodyReads = ownerReads && groupReads && othersRead;
    // By their ids: the file may have been renamed into a directory that lets in fewer.
    Path named = file.hdfsPath();
    for (HdfsFileStatus directory : Above.of(primary, file.fileId())) {
      named = named.isRoot() ? named : named.getParent();
      FsPermission its = directory.getPermission();
      FsAction ofItsGroup =
          directory.hasAcl()
              ? ofGroup(
                  primary.getAclStatus(new Path(PrimaryFile.byId(directory.getFileId()))), named)
              : its.getGroupAction();
      boolean othersPass = its.getOtherAction().implies(FsAction.EXECUTE);
      boolean itsGroupPasses = ofItsGroup.implies(FsAction.EXECUTE);
      boolean itsOwnerPasses = its.getUserAction().implies(FsAction.EXECUTE);
      boolean isOfGroup = directory.getGroup().equals(group);
      ownerReads &=
          directory.getOwner().equals(owner) ? itsOwnerPasses : itsGroupPasses || othersPass;
      groupReads &= isOfGroup ? itsGroupPasses : othersPass;
      othersRead &= othersPass;
      everybodyReads &= itsOwnerPasses && itsGroupPasses && othersPass;
      if (!isOfGroup && !itsGroupPasses && (groupReads || othersRead)) {
        throw new StaysException(
            "a directory above it keeps out its group "
                + directory.getGroup()
                + " and lets in others, which the copy could not keep: "
                + named.toUri().getPath());
      }
    }
    // This user reads the file in HDFS now, and its copy when it is taken up or comes back.
    ownerReads |= owner.equals(UserGroupInformation.getCurrentUser().getShortUserName());
    return new CopyRights(
        owner,
        group,
        new FsPermission(read(ownerReads), read(groupReads), read(othersRead)),
        everybodyReads);
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

  /** Whether everybody may read the file in HDFS, so that a store needs to keep no rights. */
  boolean everybodyReads() {
    return everybodyReads;
  }

  private static FsAction read(boolean may) {
    return may ? FsAction.READ : FsAction.NONE;
  }

  /**
   * Keeps files that not everybody may read in HDFS out of stores without rights.
   *
   * @throws StaysException when whoever reaches the store could read what he may not
   */
  void requireKept(StoredCopy copy, Attempt attempt, KeptRights kept)
      throws IOException, StaysException {
    if (!everybodyReads && !kept.byStoreOf(copy, attempt)) {
      throw keepsNone(copy.store());
    }
  }

  private static StaysException keepsNone(SecondaryStore store) {
    return new StaysException(
        "not everybody may read it, and the secondary store "
            + store
            + " keeps no rights: whoever has its keys, or comes to its directory, could read the"
            + " copy");
  }

  /**
   * Gives them to a file of the store, if that keeps any.
   *
   * @throws StaysException when the store cannot, and somebody could not read the file any more, or
   *     could read what he may not
   */
  void give(SecondaryStore store, Path path) throws IOException, StaysException {
    FileSystem fs = store.fs();
    FileStatus status = permit(fs, path);
    if (!status.getPermission().equals(mode)) {
      if (!everybodyReads) {
        throw keepsNone(store);
      }
      if (!mayAllRead(status.getPermission())) {
        throw new StaysException(
            "everybody may read it, and its copy would be "
                + status.getPermission()
                + ", whatever is set: have the secondary store "
                + store
                + " mounted with rights that let others read");
      }
      return;
    }
    if (!status.getOwner().equals(owner) && !isGivenTo(owner, null, fs, path)) {
      throw new StaysException(
          "its copy cannot be given to "
              + owner
              + ", whose file it is, in the store: run as the store's superuser, or as its"
              + " owner");
    }
    boolean groupIsApart = mode.getGroupAction() != mode.getOtherAction();
    if (!status.getGroup().equals(group) && !isGivenTo(null, group, fs, path) && groupIsApart) {
      throw new StaysException(
          "its copy cannot be given to the group "
              + group
              + ", which may "
              + (mode.getGroupAction() == FsAction.NONE ? "not read it as others do" : "read it")
              + ", in the store: make the group there, or run as the store's superuser");
    }
  }

  private FileStatus permit(FileSystem fs, Path path) throws IOException {
    try {
      fs.setPermission(path, mode);
    } catch (IOException | UnsupportedOperationException e) {
      // Some file systems refuse any change; its status tells what it is worth.
      return fs.getFileStatus(path);
    }
    return fs.getFileStatus(path);
  }

  private static boolean mayAllRead(FsPermission permission) {
    return permission.getUserAction().implies(FsAction.READ)
        && permission.getGroupAction().implies(FsAction.READ)
        && permission.getOtherAction().implies(FsAction.READ);
  }

  /** Many file systems take an owner and do nothing about it. */
  private static boolean isGivenTo(String owner, String group, FileSystem fs, Path path)
      throws IOException {
    try {
      fs.setOwner(path, owner, group);
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
    FileStatus now = fs.getFileStatus(path);
    return owner == null ? now.getGroup().equals(group) : now.getOwner().equals(owner);
  }
}
