package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.INodeId;

/** Finds the directories that a file is in now, whatever path it had when it was listed. */
final class Above {
  private Above() {}

  /**
   * Looks, from the nearest to the root.
   *
   * @throws IOException one line, when the file is no more
   */
  static List<HdfsFileStatus> of(DistributedFileSystem fs, long fileId) throws IOException {
    List<HdfsFileStatus> above = new ArrayList<>();
    long id = fileId;
    while (id != INodeId.ROOT_INODE_ID) {
      HdfsFileStatus directory = parent(fs, id);
      above.add(directory);
      id = directory.getFileId();
    }
    return above;
  }

  /** The directory that something is in. */
  static HdfsFileStatus parent(DistributedFileSystem fs, long id) throws IOException {
    HdfsFileStatus found;
    try {
      found = fs.getClient().getFileInfo(PrimaryFile.byId(id) + "/..");
    } catch (FileNotFoundException e) {
      throw Metadata.gone(e);
    }
    if (found == null) {
      throw Metadata.gone(null);
    }
    return found;
  }
}
