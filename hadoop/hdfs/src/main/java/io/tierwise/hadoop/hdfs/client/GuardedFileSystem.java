package io.tierwise.hadoop.hdfs.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;

/** HDFS, but what changes a file is refused while its bytes are somewhere else. */
abstract class GuardedFileSystem extends DistributedFileSystem {
  /**
   * Lets a file be changed.
   *
   * @throws IOException when its bytes are in a secondary store
   */
  abstract void requireInHdfs(Path path) throws IOException;

  @Override
  public FSDataOutputStream append(
      Path path, EnumSet<CreateFlag> flag, int bufferSize, Progressable progress)
      throws IOException {
    requireInHdfs(path);
    return super.append(path, flag, bufferSize, progress);
  }

  @Override
  public FSDataOutputStream append(
      Path path,
      EnumSet<CreateFlag> flag,
      int bufferSize,
      Progressable progress,
      InetSocketAddress[] favoredNodes)
      throws IOException {
    requireInHdfs(path);
    return super.append(path, flag, bufferSize, progress, favoredNodes);
  }

  @Override
  public boolean truncate(Path path, long length) throws IOException {
    requireInHdfs(path);
    return super.truncate(path, length);
  }

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    requireInHdfs(path);
    super.setPermission(path, permission);
  }

  @Override
  public void setOwner(Path path, String owner, String group) throws IOException {
    requireInHdfs(path);
    super.setOwner(path, owner, group);
  }

  @Override
  public void setStoragePolicy(Path path, String policy) throws IOException {
    requireInHdfs(path);
    super.setStoragePolicy(path, policy);
  }

  @Override
  public void unsetStoragePolicy(Path path) throws IOException {
    requireInHdfs(path);
    super.unsetStoragePolicy(path);
  }

  @Override
  public void setAcl(Path path, List<AclEntry> entries) throws IOException {
    requireInHdfs(path);
    super.setAcl(path, entries);
  }

  @Override
  public void modifyAclEntries(Path path, List<AclEntry> entries) throws IOException {
    requireInHdfs(path);
    super.modifyAclEntries(path, entries);
  }

  @Override
  public void removeAclEntries(Path path, List<AclEntry> entries) throws IOException {
    requireInHdfs(path);
    super.removeAclEntries(path, entries);
  }

  @Override
  public void removeAcl(Path path) throws IOException {
    requireInHdfs(path);
    super.removeAcl(path);
  }

  @Override
  public void setTimes(Path path, long modifiedMillis, long accessedMillis) throws IOException {
    requireInHdfs(path);
    super.setTimes(path, modifiedMillis, accessedMillis);
  }

  @Override
  public void concat(Path target, Path[] parts) throws IOException {
    requireInHdfs(target);
    for (Path part : parts) {
      requireInHdfs(part);
    }
    super.concat(target, parts);
  }
}
