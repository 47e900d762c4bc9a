package io.tierwise.hadoop.autotier;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Finds the path of a file by its inode id, as HDFS's NFS gateway does: the NameNode tells which
 * directory an inode is in, and names are read from its listing. That is a call for each directory
 * above the file, and one for each page of their listings: ask for a file that was renamed alone.
 */
final class CurrentPath {
  private CurrentPath() {}

  /** Empty for a file that was deleted, or renamed while it was sought. */
  static Optional<String> of(DFSClient client, long fileId) throws IOException {
    try {
      return find(client, fileId);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> find(DFSClient client, long fileId) throws IOException {
    String path = "";
    long id = fileId;
    while (true) {
      HdfsFileStatus above = client.getFileInfo(byId(id) + "/..");
      if (above == null) {
        return Optional.empty();
      }
      if (above.getFileId() == id) {
        // The root is above itself.
        return Optional.of(path);
      }
      Optional<String> name = name(client, above.getFileId(), id);
      if (name.isEmpty()) {
        return name;
      }
      path = "/" + name.get() + path;
      id = above.getFileId();
    }
  }

  private static Optional<String> name(DFSClient client, long directory, long id)
      throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    while (true) {
      DirectoryListing page = client.listPaths(byId(directory), after, false);
      if (page == null) {
        return Optional.empty();
      }
      for (HdfsFileStatus status : page.getPartialListing()) {
        if (status.getFileId() == id) {
          return Optional.of(status.getLocalName());
        }
      }
      if (!page.hasMore()) {
        return Optional.empty();
      }
      after = page.getLastName();
    }
  }

  private static String byId(long id) {
    return "/.reserved/.inodes/" + id;
  }
}
