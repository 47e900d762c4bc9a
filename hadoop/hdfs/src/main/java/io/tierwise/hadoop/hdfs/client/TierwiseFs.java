package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.AccessSession;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.util.LambdaUtils;
import org.apache.hadoop.util.Progressable;

/**
 * {@link TierwiseFileSystem} for users of FileContext; configured as {@code
 * fs.AbstractFileSystem.hdfs.impl}. Everything but reads and block locations is {@link Hdfs}'s, and
 * what is shown of files in secondary stores.
 */
public class TierwiseFs extends FilterFs {
  private static final String IMPLEMENTATION = "fs.AbstractFileSystem.hdfs.impl";

  private final TierwiseClient client;
  private final SecondaryReads secondary;
  private boolean verifyChecksum = true;

  /** Called by Hadoop. */
  public TierwiseFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(stock(uri, conf));
    DFSClient owner = HdfsInternals.clientOf(getMyFs());
    client = owner == null ? null : TierwiseClient.beside(owner, uri, conf, getStatistics());
    secondary = SecondaryReads.of(owner, conf);
  }

  private static AbstractFileSystem stock(URI uri, Configuration conf) throws IOException {
    Configuration stock = new Configuration(conf);
    stock.set(IMPLEMENTATION, Hdfs.class.getName());
    return AbstractFileSystem.get(uri, stock);
  }

  /** The strategy of that path, with what it has learnt; empty where stock HDFS decides. */
  public Optional<AccessSession> session(String path) {
    return Optional.ofNullable(client).map(ours -> ours.session(path));
  }

  @Override
  public void setVerifyChecksum(boolean verify) throws IOException {
    super.setVerifyChecksum(verify);
    verifyChecksum = verify;
  }

  @Override
  public FSDataInputStream open(Path path) throws IOException {
    return client == null && secondary == null
        ? super.open(path)
        : open(path, getServerDefaults(path).getFileBufferSize());
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return secondary == null
        ? openInHdfs(path, bufferSize)
        : secondary.open(getUriPath(path), () -> openInHdfs(path, bufferSize));
  }

  private FSDataInputStream openInHdfs(Path path, int bufferSize) throws IOException {
    if (client == null) {
      return super.open(path, bufferSize);
    }
    checkPath(path);
    DFSInputStream stream = client.open(getUriPath(path), bufferSize, verifyChecksum);
    try {
      return client.createWrappedInputStream(stream);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  @Override
  public CompletableFuture<FSDataInputStream> openFileWithOptions(
      Path path, OpenFileParameters parameters) throws IOException {
    boolean stock = client == null && secondary == null;
    if (stock || !parameters.getMandatoryKeys().isEmpty()) {
      return super.openFileWithOptions(path, parameters);
    }
    return LambdaUtils.eval(
        new CompletableFuture<>(), () -> open(path, parameters.getBufferSize()));
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
      throws IOException {
    return secondary == null
        ? locateInHdfs(path, start, length)
        : secondary.locate(
            getUriPath(path), start, length, () -> locateInHdfs(path, start, length));
  }

  private BlockLocation[] locateInHdfs(Path path, long start, long length) throws IOException {
    if (client == null) {
      return super.getFileBlockLocations(path, start, length);
    }
    checkPath(path);
    return client.getBlockLocations(getUriPath(path), start, length);
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value) throws IOException {
    try {
      super.setXAttr(path, name, value);
    } finally {
      changed(path);
    }
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag)
      throws IOException {
    try {
      super.setXAttr(path, name, value, flag);
    } finally {
      changed(path);
    }
  }

  @Override
  public void removeXAttr(Path path, String name) throws IOException {
    try {
      super.removeXAttr(path, name);
    } finally {
      changed(path);
    }
  }

  @Override
  public void renameInternal(Path from, Path to) throws IOException {
    try {
      super.renameInternal(from, to);
    } finally {
      changed(from, to);
    }
  }

  @Override
  public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
    try {
      super.renameInternal(from, to, overwrite);
    } finally {
      changed(from, to);
    }
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    try {
      return super.delete(path, recursive);
    } finally {
      changed(path);
    }
  }

  /** FileContext appends by a flag. */
  @Override
  public FSDataOutputStream createInternal(
      Path path,
      EnumSet<CreateFlag> flag,
      FsPermission permission,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum,
      boolean createParent)
      throws IOException {
    if (flag.contains(CreateFlag.APPEND)) {
      requireInHdfs(path);
    }
    return super.createInternal(
        path,
        flag,
        permission,
        bufferSize,
        replication,
        blockSize,
        progress,
        checksum,
        createParent);
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
  public FileChecksum getFileChecksum(Path path) throws IOException {
    return secondary == null
        ? super.getFileChecksum(path)
        : secondary.checksum(getUriPath(path), () -> TierwiseFs.super.getFileChecksum(path));
  }

  private void requireInHdfs(Path path) throws IOException {
    if (secondary != null) {
      secondary.requireInHdfs(getUriPath(path));
    }
  }

  private void changed(Path... paths) {
    if (client != null) {
      for (Path path : paths) {
        client.changed(path);
      }
    }
  }

  /** FilterFs leaves it to a default that loads the whole directory; Hdfs lists in parts. */
  @Override
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    checkPath(path);
    RemoteIterator<FileStatus> listing = getMyFs().listStatusIterator(path);
    return secondary == null ? listing : secondary.shown(listing);
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    return secondary == null ? status : secondary.shown(status);
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus[] listing = super.listStatus(path);
    return secondary == null ? listing : secondary.shown(listing);
  }

  @Override
  public void access(Path path, FsAction mode) throws IOException {
    if (secondary == null) {
      super.access(path, mode);
      return;
    }
    secondary.access(getUriPath(path), mode, () -> accessInHdfs(path, mode));
  }

  private Void accessInHdfs(Path path, FsAction mode) throws IOException {
    super.access(path, mode);
    return null;
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
    RemoteIterator<LocatedFileStatus> listing = super.listLocatedStatus(path);
    RemoteIterator<LocatedFileStatus> ordered =
        client == null ? listing : LocatedListings.ordered(client, listing);
    return secondary == null ? ordered : secondary.located(ordered);
  }
}
