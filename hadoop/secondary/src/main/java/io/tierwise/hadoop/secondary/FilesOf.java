package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Goes through the files at a path and below, page by page, placeholders included. */
final class FilesOf {
  /** Told of each file. */
  @FunctionalInterface
  interface Visitor {
    /** Whether to go on. */
    boolean file(PrimaryFile file) throws IOException;

    /** Told of a directory below, behind all that is in it. */
    default void directory(String path, HdfsFileStatus directory) throws IOException {}
  }

  /** Told of a directory below that cannot be listed; the walk goes on behind it. */
  @FunctionalInterface
  interface Trouble {
    void at(String path, IOException e) throws IOException;
  }

  private final DFSClient client;
  private final Visitor visitor;
  private final Trouble trouble;

  private FilesOf(DFSClient client, Visitor visitor, Trouble trouble) {
    this.client = client;
    this.visitor = visitor;
    this.trouble = trouble;
  }

  /**
   * Walks.
   *
   * @throws FileNotFoundException when there is no such path
   */
  static void walk(DistributedFileSystem fs, String path, Visitor visitor, Trouble trouble)
      throws IOException {
    FilesOf walk = new FilesOf(fs.getClient(), visitor, trouble);
    walk.list(path, walk.page(path, HdfsFileStatus.EMPTY_NAME));
  }

  /**
   * The file as it is now.
   *
   * @throws IOException when its name is another file's, or nobody's
   */
  static PrimaryFile again(DistributedFileSystem fs, PrimaryFile listed) throws IOException {
    Optional<PrimaryFile> now = at(fs, listed.path());
    if (now.isPresent() && now.get().fileId() == listed.fileId()) {
      return now.get();
    }
    throw new IOException("it was deleted, renamed or replaced since it was listed: run again");
  }

  /** The file at a path; empty when there is none. */
  static Optional<PrimaryFile> at(DistributedFileSystem fs, String path) throws IOException {
    DirectoryListing listing = fs.getClient().listPaths(path, HdfsFileStatus.EMPTY_NAME, true);
    HdfsFileStatus[] found = listing == null ? new HdfsFileStatus[0] : listing.getPartialListing();
    return found.length == 1
            && found[0].isEmptyLocalName()
            && found[0] instanceof HdfsLocatedFileStatus now
        ? Optional.of(new PrimaryFile(path, now))
        : Optional.empty();
  }

  private DirectoryListing page(String path, byte[] after) throws IOException {
    DirectoryListing page = client.listPaths(path, after, true);
    if (page == null) {
      throw new FileNotFoundException(path);
    }
    return page;
  }

  /** Whether to go on. */
  private boolean list(String path, DirectoryListing first) throws IOException {
    DirectoryListing page = first;
    while (page != null) {
      for (HdfsFileStatus status : page.getPartialListing()) {
        if (!visit(status.getFullName(path), status)) {
          return false;
        }
      }
      page = page.hasMore() ? pageBelow(path, page.getLastName()) : null;
    }
    return true;
  }

  /** Null when the NameNode refuses; where it does not answer, no other page would come. */
  private DirectoryListing pageBelow(String path, byte[] after) throws IOException {
    try {
      return page(path, after);
    } catch (FileNotFoundException e) {
      // Another run takes its folders away all the time.
      if (!WorkName.isFolder(path)) {
        trouble.at(path, new IOException("the directory was deleted while the run went on", e));
      }
    } catch (AccessControlException | RemoteException e) {
      trouble.at(path, e);
    }
    return null;
  }

  private boolean visit(String path, HdfsFileStatus status) throws IOException {
    if (status.isDirectory()) {
      boolean goOn = list(path, pageBelow(path, HdfsFileStatus.EMPTY_NAME));
      visitor.directory(path, status);
      return goOn;
    }
    return status.isSymlink()
        || !(status instanceof HdfsLocatedFileStatus located)
        || visitor.file(new PrimaryFile(path, located));
  }
}
