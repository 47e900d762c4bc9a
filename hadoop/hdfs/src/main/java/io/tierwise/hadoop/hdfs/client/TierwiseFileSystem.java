package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.AccessSession;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemLinkResolver;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics.OpType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * HDFS whose reads follow access strategies; configured as {@code fs.hdfs.impl}.
 *
 * <p>Replaced are the four ways to learn or use block locations: opening by path and by handle,
 * {@code getFileBlockLocations} and located listings. All else is {@link DistributedFileSystem}'s;
 * what changes a directory's attributes also makes this client forget what it knows of them. Where
 * the configuration asks for nothing but stock, these are stock too. Where it names secondary
 * stores, files whose bytes are there are shown as if they were in HDFS ({@link SecondaryReads}).
 */
public class TierwiseFileSystem extends GuardedFileSystem {
  private TierwiseClient client;
  private SecondaryReads secondary;
  private boolean verifyChecksum = true;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    super.initialize(uri, conf);
    try {
      secondary = SecondaryReads.of(getClient(), conf);
      client = TierwiseClient.beside(getClient(), uri, conf, statistics);
    } catch (IOException e) {
      super.close();
      throw e;
    }
  }

  /** The reads so far; empty when nothing but stock HDFS is configured. */
  public Optional<ReadCounts> readStatistics() {
    return Optional.ofNullable(client).map(TierwiseClient::readCounts);
  }

  /** The strategy of that path, with what it has learnt; empty where stock HDFS decides. */
  public Optional<AccessSession> session(String path) {
    return Optional.ofNullable(client).map(ours -> ours.session(path));
  }

  @Override
  public void setVerifyChecksum(boolean verify) {
    super.setVerifyChecksum(verify);
    verifyChecksum = verify;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return secondary == null
        ? openInHdfs(path, bufferSize)
        : secondary.open(pathName(fixRelativePart(path)), () -> openInHdfs(path, bufferSize));
  }

  private FSDataInputStream openInHdfs(Path path, int bufferSize) throws IOException {
    if (client == null) {
      return super.open(path, bufferSize);
    }
    countOperation(OpType.OPEN);
    return new FileSystemLinkResolver<FSDataInputStream>() {
      @Override
      public FSDataInputStream doCall(Path resolved) throws IOException {
        return wrapped(client.open(pathName(resolved), bufferSize, verifyChecksum));
      }

      @Override
      public FSDataInputStream next(FileSystem other, Path resolved) throws IOException {
        return other.open(resolved, bufferSize);
      }
    }.resolve(this, fixRelativePart(path));
  }

  @Override
  public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
    HdfsPathHandle hdfsHandle =
        handle instanceof HdfsPathHandle already ? already : new HdfsPathHandle(handle.bytes());
    return secondary == null
        ? openInHdfs(hdfsHandle, bufferSize)
        : secondary.open(hdfsHandle.getPath(), () -> openInHdfs(hdfsHandle, bufferSize));
  }

  private FSDataInputStream openInHdfs(HdfsPathHandle handle, int bufferSize) throws IOException {
    if (client == null) {
      return super.open(handle, bufferSize);
    }
    countOperation(OpType.OPEN);
    return wrapped(client.open(handle, bufferSize, verifyChecksum));
  }

  private FSDataInputStream wrapped(DFSInputStream stream) throws IOException {
    try {
      return client.createWrappedInputStream(stream);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** As the replaced method of the superclass does. */
  private void countOperation(OpType operation) {
    statistics.incrementReadOps(1);
    if (GlobalStorageStatistics.INSTANCE.get(DFSOpsCountStatistics.NAME)
        instanceof DFSOpsCountStatistics operations) {
      operations.incrementOpCounter(operation);
    }
  }

  private String pathName(Path path) {
    checkPath(path);
    return path.toUri().getPath();
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
      throws IOException {
    return secondary == null
        ? locateInHdfs(path, start, length)
        : secondary.locate(
            pathName(fixRelativePart(path)),
            start,
            length,
            () -> locateInHdfs(path, start, length));
  }

  private BlockLocation[] locateInHdfs(Path path, long start, long length) throws IOException {
    if (client == null) {
      return super.getFileBlockLocations(path, start, length);
    }
    countOperation(OpType.GET_FILE_BLOCK_LOCATIONS);
    return new FileSystemLinkResolver<BlockLocation[]>() {
      @Override
      public BlockLocation[] doCall(Path resolved) throws IOException {
        return client.getBlockLocations(pathName(resolved), start, length);
      }

      @Override
      public BlockLocation[] next(FileSystem other, Path resolved) throws IOException {
        return other.getFileBlockLocations(resolved, start, length);
      }
    }.resolve(this, fixRelativePart(path));
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter)
      throws IOException {
    RemoteIterator<LocatedFileStatus> listing = super.listLocatedStatus(path, filter);
    RemoteIterator<LocatedFileStatus> ordered =
        client == null ? listing : LocatedListings.ordered(client, listing);
    return secondary == null ? ordered : secondary.located(ordered);
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
  public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
    RemoteIterator<FileStatus> listing = super.listStatusIterator(path);
    return secondary == null ? listing : secondary.shown(listing);
  }

  @Override
  public RemoteIterator<PartialListing<FileStatus>> batchedListStatusIterator(List<Path> paths)
      throws IOException {
    RemoteIterator<PartialListing<FileStatus>> listings = super.batchedListStatusIterator(paths);
    return secondary == null
        ? listings
        : RemoteIterators.mappingRemoteIterator(listings, secondary::shown);
  }

  @Override
  public void access(Path path, FsAction mode) throws IOException {
    if (secondary == null) {
      super.access(path, mode);
      return;
    }
    secondary.access(pathName(fixRelativePart(path)), mode, () -> accessInHdfs(path, mode));
  }

  private Void accessInHdfs(Path path, FsAction mode) throws IOException {
    super.access(path, mode);
    return null;
  }

  @Override
  public RemoteIterator<PartialListing<LocatedFileStatus>> batchedListLocatedStatusIterator(
      List<Path> paths) throws IOException {
    RemoteIterator<PartialListing<LocatedFileStatus>> listings =
        super.batchedListLocatedStatusIterator(paths);
    RemoteIterator<PartialListing<LocatedFileStatus>> ordered =
        client == null ? listings : RemoteIterators.mappingRemoteIterator(listings, this::ordered);
    return secondary == null
        ? ordered
        : RemoteIterators.mappingRemoteIterator(ordered, secondary::located);
  }

  private PartialListing<LocatedFileStatus> ordered(PartialListing<LocatedFileStatus> listing)
      throws IOException {
    for (LocatedFileStatus status : listing.get()) {
      LocatedListings.order(client, status);
    }
    return listing;
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
  public boolean rename(Path from, Path to) throws IOException {
    try {
      return super.rename(from, to);
    } finally {
      changed(from, to);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // Hadoop marks it to keep users off; FileContext calls it.
  public void rename(Path from, Path to, Options.Rename... options) throws IOException {
    try {
      super.rename(from, to, options);
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

  @Override
  public FileChecksum getFileChecksum(Path path) throws IOException {
    return secondary == null
        ? super.getFileChecksum(path)
        : secondary.checksum(
            pathName(fixRelativePart(path)), () -> TierwiseFileSystem.super.getFileChecksum(path));
  }

  @Override
  public FileChecksum getFileChecksum(Path path, long length) throws IOException {
    return secondary == null
        ? super.getFileChecksum(path, length)
        : secondary.checksum(
            pathName(fixRelativePart(path)),
            () -> TierwiseFileSystem.super.getFileChecksum(path, length));
  }

  @Override
  void requireInHdfs(Path path) throws IOException {
    if (secondary != null) {
      secondary.requireInHdfs(pathName(fixRelativePart(path)));
    }
  }

  /** Also after a failure: the NameNode may have made the change and its answer be lost. */
  private void changed(Path... paths) {
    if (client != null) {
      for (Path path : paths) {
        client.changed(fixRelativePart(path));
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (client != null) {
        client.close();
      }
      if (secondary != null) {
        secondary.close();
      }
    }
  }
}
