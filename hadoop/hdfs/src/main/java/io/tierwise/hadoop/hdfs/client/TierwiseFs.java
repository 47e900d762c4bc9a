package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.AccessSession;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.util.LambdaUtils;

/**
 * {@link TierwiseFileSystem} for users of FileContext; configured as {@code
 * fs.AbstractFileSystem.hdfs.impl}. Everything but reads and block locations is {@link Hdfs}'s.
 */
public class TierwiseFs extends FilterFs {
  private static final String IMPLEMENTATION = "fs.AbstractFileSystem.hdfs.impl";

  private final TierwiseClient client;
  private boolean verifyChecksum = true;

  /** Called by Hadoop. */
  public TierwiseFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(stock(uri, conf));
    DFSClient owner = HdfsInternals.clientOf(getMyFs());
    client = owner == null ? null : TierwiseClient.beside(owner, uri, conf, getStatistics());
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
    return client == null
        ? super.open(path)
        : open(path, getServerDefaults(path).getFileBufferSize());
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
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
    if (client == null || !parameters.getMandatoryKeys().isEmpty()) {
      return super.openFileWithOptions(path, parameters);
    }
    return LambdaUtils.eval(
        new CompletableFuture<>(), () -> open(path, parameters.getBufferSize()));
  }

  @Override
  public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
      throws IOException {
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
    return getMyFs().listStatusIterator(path);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
    RemoteIterator<LocatedFileStatus> listing = super.listLocatedStatus(path);
    return client == null ? listing : LocatedListings.ordered(client, listing);
  }
}
