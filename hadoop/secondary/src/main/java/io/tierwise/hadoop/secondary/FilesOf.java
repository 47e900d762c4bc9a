package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** Goes through the files at a path and below, page by page, placeholders included. */
final class FilesOf {
  /** Told of each file. */
  @FunctionalInterface
  interface Visitor {
    /** Whether to go on. */
    boolean file(PrimaryFile file) throws IOException;
  }

  private final DFSClient client;
  private final Visitor visitor;

  private FilesOf(DFSClient client, Visitor visitor) {
    this.client = client;
    this.visitor = visitor;
  }

  /**
   * Walks.
   *
   * @throws FileNotFoundException when there is no such path
   */
  static void walk(DistributedFileSystem fs, String path, Visitor visitor) throws IOException {
    new FilesOf(fs.getClient(), visitor).list(path);
  }

  private boolean list(String path) throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    boolean more = true;
    while (more) {
      DirectoryListing page = client.listPaths(path, after, true);
      if (page == null) {
        throw new FileNotFoundException(path);
      }
      for (HdfsFileStatus status : page.getPartialListing()) {
        if (!visit(status.getFullName(path), status)) {
          return false;
        }
      }
      more = page.hasMore();
      after = page.getLastName();
    }
    return true;
  }

  private boolean visit(String path, HdfsFileStatus status) throws IOException {
    if (status.isDirectory()) {
      return list(path);
    }
    return status.isSymlink()
        || !(status instanceof HdfsLocatedFileStatus located)
        || visitor.file(new PrimaryFile(path, located));
  }
}
