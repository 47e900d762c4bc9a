package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.Versions;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStores;
import io.tierwise.hadoop.hdfs.secondary.SoughtCopy;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.RemoteIterators;

/**
 * Shows files that are in a secondary store as if their bytes were in HDFS.
 *
 * <p>Files of HDFS cost no call more than before: the NameNode refuses to open a placeholder, and
 * only then does this ask further. The NameNode also says who may read.
 */
final class SecondaryReads implements Closeable {
  /** Hadoop's default of {@code dfs.blocksize}. */
  private static final long BLOCK_BYTES_DEFAULT = 128L << 20;

  private final DFSClient nameNode;
  private final SecondaryStores stores;
  private final long blockBytes;

  private SecondaryReads(DFSClient nameNode, SecondaryStores stores, long blockBytes) {
    this.nameNode = nameNode;
    this.stores = stores;
    this.blockBytes = blockBytes;
  }

  /**
   * Null when the configuration names no store.
   *
   * @throws IOException one line that names the key and the bad value
   */
  static SecondaryReads of(DFSClient nameNode, Configuration conf) throws IOException {
    try {
      SecondaryStores stores = SecondaryStores.of(conf);
      if (stores.all().isEmpty() || nameNode == null || !Versions.allow("client")) {
        return null;
      }
      long blockBytes = conf.getLongBytes("dfs.blocksize", BLOCK_BYTES_DEFAULT);
      return new SecondaryReads(nameNode, stores, blockBytes);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Asks HDFS itself, which knows nothing of placeholders. */
  @FunctionalInterface
  interface InHdfs<T> {
    T ask() throws IOException;
  }

  /** Opens a file wherever its bytes are; a reader goes on when they move meanwhile. */
  FSDataInputStream open(String src, InHdfs<FSDataInputStream> inHdfs) throws IOException {
    FSDataInputStream opened;
    try {
      opened = inHdfs.ask();
    } catch (AccessControlException e) {
      return openRefused(src, inHdfs, e);
    }
    return opened instanceof HdfsDataInputStream hdfs
            && Placeholder.mayHave(hdfs.getVisibleLength())
        ? instead(src, opened, inHdfs)
        : opened;
  }

  private FSDataInputStream openRefused(
      String src, InHdfs<FSDataInputStream> inHdfs, AccessControlException refusal)
      throws IOException {
    HdfsLocatedFileStatus placeholder = placeholder(src);
    if (placeholder == null) {
      // No placeholder, or none any more: the file may have come back in this moment.
      return inHdfs.ask();
    }
    requireRead(src, refusal);
    return follow(src, placeholder, inHdfs);
  }

  /** Opens the file itself if the stream that was opened is its placeholder's. */
  private FSDataInputStream instead(
      String src, FSDataInputStream opened, InHdfs<FSDataInputStream> inHdfs) throws IOException {
    try {
      HdfsLocatedFileStatus placeholder = placeholder(src);
      if (placeholder == null) {
        return opened;
      }
      FSDataInputStream ours = follow(src, placeholder, inHdfs);
      opened.close();
      return ours;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private FSDataInputStream follow(
      String src, HdfsLocatedFileStatus placeholder, InHdfs<FSDataInputStream> inHdfs)
      throws IOException {
    Whereabouts file = new Whereabouts(src, inHdfs, placeholder);
    FSDataInputStream first;
    try {
      first = copyOf(src, placeholder);
    } catch (IOException e) {
      first = file.again(e);
    }
    return new FSDataInputStream(new FollowingInputStream(first, file::again));
  }

  private FSDataInputStream copyOf(String src, HdfsLocatedFileStatus placeholder)
      throws IOException {
    return stores.open(SoughtCopy.of(placeholder, src));
  }

  /** The place of the bytes of a file that is being read. For one thread at a time. */
  private final class Whereabouts {
    private final String src;
    private final InHdfs<FSDataInputStream> inHdfs;
    private HdfsLocatedFileStatus known;

    private Whereabouts(String src, InHdfs<FSDataInputStream> inHdfs, HdfsLocatedFileStatus known) {
      this.src = src;
      this.inHdfs = inHdfs;
      this.known = known;
    }

    /**
     * Opens the file anew, where its bytes are now.
     *
     * @param failure that a reader met; thrown on when they are where they were
     */
    private FSDataInputStream again(IOException failure) throws IOException {
      try {
        HdfsLocatedFileStatus now = fileAt(src);
        if (now != null && now.getFileId() != known.getFileId() && isSame(now)) {
          FSDataInputStream opened = Placeholder.is(now) ? copyOf(src, now) : inHdfs.ask();
          known = now;
          return opened;
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }

    /** A file that was written since has another time. */
    private boolean isSame(HdfsFileStatus now) throws IOException {
      return now.getModificationTime() == known.getModificationTime() && bytes(now) == bytes(known);
    }

    private long bytes(HdfsFileStatus status) throws IOException {
      return Placeholder.is(status) ? Placeholder.fileBytes(status, src) : status.getLen();
    }
  }

  /** The placeholder at the path, with its block; null when there is something else or nothing. */
  private HdfsLocatedFileStatus placeholder(String src) throws IOException {
    HdfsLocatedFileStatus file = fileAt(src);
    return file != null && Placeholder.is(file) ? file : null;
  }

  private HdfsLocatedFileStatus fileAt(String src) throws IOException {
    // Listing a file needs no right to read it, and its block names the namespace.
    DirectoryListing listing = nameNode.listPaths(src, HdfsFileStatus.EMPTY_NAME, true);
    if (listing == null || listing.getPartialListing().length != 1) {
      return null;
    }
    HdfsFileStatus status = listing.getPartialListing()[0];
    return status.isEmptyLocalName()
            && status.isFile()
            && status instanceof HdfsLocatedFileStatus located
        ? located
        : null;
  }

  /** Whoever may execute the placeholder may read the file. */
  private void requireRead(String src, AccessControlException refusal) throws IOException {
    try {
      nameNode.checkAccess(src, FsAction.EXECUTE);
    } catch (AccessControlException e) {
      refusal.addSuppressed(e);
      throw refusal;
    }
  }

  /**
   * Checks the user's rights. HDFS refuses to let anybody read a placeholder: its rights to execute
   * stand for rights to read its file.
   */
  void access(String src, FsAction wanted, InHdfs<Void> inHdfs) throws IOException {
    try {
      inHdfs.ask();
    } catch (AccessControlException e) {
      if (wanted.implies(FsAction.WRITE)
          || wanted.implies(FsAction.EXECUTE)
          || placeholder(src) == null) {
        throw e;
      }
      requireRead(src, e);
    }
  }

  /** The locations of a file; of one in a store, at no host in particular. */
  BlockLocation[] locate(String src, long start, long length, InHdfs<BlockLocation[]> inHdfs)
      throws IOException {
    BlockLocation[] found;
    AccessControlException refusal = null;
    try {
      found = inHdfs.ask();
      if (found.length != 1 || !Placeholder.mayHave(found[0].getLength())) {
        return found;
      }
    } catch (AccessControlException e) {
      found = new BlockLocation[0];
      refusal = e;
    }
    HdfsLocatedFileStatus placeholder = placeholder(src);
    if (placeholder == null) {
      return refusal == null ? found : inHdfs.ask();
    }
    if (refusal != null) {
      requireRead(src, refusal);
    }
    return Placeholder.locations(
        Placeholder.fileBytes(placeholder, src), blockBytes, start, length);
  }

  /**
   * The checksum of a file; null, "none" to Hadoop, where the bytes are in a store: it has sums of
   * its own. Asks before and not after, since a placeholder that somebody opened to all has one.
   */
  FileChecksum checksum(String src, InHdfs<FileChecksum> inHdfs) throws IOException {
    if (!isInStore(src)) {
      return inHdfs.ask();
    }
    nameNode.checkAccess(src, FsAction.EXECUTE);
    return null;
  }

  /** The status of the file that a placeholder stands for; any other as it is. */
  FileStatus shown(FileStatus status) throws IOException {
    return status instanceof HdfsFileStatus hdfs && Placeholder.isWhole(hdfs)
        ? Placeholder.shown(hdfs, status.getPath(), blockBytes)
        : status;
  }

  FileStatus[] shown(FileStatus[] listing) throws IOException {
    for (int i = 0; i < listing.length; i++) {
      listing[i] = shown(listing[i]);
    }
    return listing;
  }

  RemoteIterator<FileStatus> shown(RemoteIterator<FileStatus> listing) {
    return RemoteIterators.mappingRemoteIterator(listing, this::shown);
  }

  LocatedFileStatus located(LocatedFileStatus status) throws IOException {
    if (!(status instanceof HdfsFileStatus hdfs) || !Placeholder.isWhole(hdfs)) {
      return status;
    }
    FileStatus file = shown((FileStatus) status);
    return new LocatedFileStatus(
        file, Placeholder.locations(file.getLen(), blockBytes, 0, file.getLen()));
  }

  RemoteIterator<LocatedFileStatus> located(RemoteIterator<LocatedFileStatus> listing) {
    return RemoteIterators.mappingRemoteIterator(listing, this::located);
  }

  PartialListing<FileStatus> shown(PartialListing<FileStatus> listing) throws IOException {
    List<FileStatus> entries = listing.get();
    return new PartialListing<>(
        listing.getListedPath(), List.of(shown(entries.toArray(FileStatus[]::new))));
  }

  PartialListing<LocatedFileStatus> located(PartialListing<LocatedFileStatus> listing)
      throws IOException {
    LocatedFileStatus[] entries = listing.get().toArray(LocatedFileStatus[]::new);
    for (int i = 0; i < entries.length; i++) {
      entries[i] = located(entries[i]);
    }
    return new PartialListing<>(listing.getListedPath(), List.of(entries));
  }

  /**
   * Refuses to change a file whose bytes are not in HDFS; the NameNode would change its
   * placeholder.
   */
  void requireInHdfs(String src) throws IOException {
    if (isInStore(src)) {
      throw new IOException(
          src
              + " is in a secondary store and cannot be changed there: 'tierwise secondary recall'"
              + " gets it back first");
    }
  }

  private boolean isInStore(String src) throws IOException {
    HdfsFileStatus status = nameNode.getFileInfo(src);
    return status != null && Placeholder.is(status);
  }

  @Override
  public void close() throws IOException {
    stores.close();
  }
}
