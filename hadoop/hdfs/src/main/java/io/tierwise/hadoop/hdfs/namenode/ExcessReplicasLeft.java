package io.tierwise.hadoop.hdfs.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.AccessControlException;

/**
 * Blocks with a replica that HDFS has chosen to drop and that is still there. To clients such a
 * replica is one like the others, but HDFS does not count it any more: a file that wants as many
 * replicas as clients see may have fewer in a moment.
 */
final class ExcessReplicasLeft {
  private ExcessReplicasLeft() {}

  /**
   * Blocks of those files, as far as the caller may see them, which HDFS itself checks. The lock is
   * held for one file at a time.
   *
   * @param paths none for all files
   * @throws IOException when this NameNode is not the active one, which alone chooses replicas to
   *     drop: another one would say that there are none
   */
  static long of(NameNode nameNode, List<String> paths) throws IOException {
    requireActive(nameNode);
    BlockManager blocks = nameNode.getNamesystem().getBlockManager();
    long all = blocks.getExcessBlocksCount();
    if (all == 0 || paths.isEmpty()) {
      return all;
    }
    if (paths.size() > PluginStatus.FILES_MAX) {
      throw new IllegalArgumentException(
          paths.size() + " files are more than " + PluginStatus.FILES_MAX);
    }
    long count = 0;
    for (String path : paths) {
      try {
        // The call checks who may see the file, as a look at its status does, and leaves no line in
        // the audit log.
        nameNode.getRpcServer().getPreferredBlockSize(path);
        count += ofFile(nameNode.getNamesystem(), path);
      } catch (AccessControlException | FileNotFoundException | ParentNotDirectoryException e) {
        // A caller without the right to see the file learns nothing of it.
      }
    }
    // It may have changed meanwhile.
    requireActive(nameNode);
    return count;
  }

  private static void requireActive(NameNode nameNode) throws IOException {
    // Observers refuse writes, too.
    nameNode.getNamesystem().checkOperation(NameNode.OperationCategory.WRITE);
  }

  private static long ofFile(FSNamesystem namesystem, String path) throws IOException {
    BlockManager blocks = namesystem.getBlockManager();
    TreeLock.lockWithBlocks(namesystem);
    try {
      INode inode = namesystem.getFSDirectory().getINode(path, FSDirectory.DirOp.READ_LINK);
      long count = 0;
      if (inode != null && inode.isFile()) {
        INodeFile file = inode.asFile();
        for (BlockInfo block : file.getBlocks()) {
          count += blocks.countNodes(block).excessReplicas() > 0 ? 1 : 0;
        }
      }
      return count;
    } finally {
      TreeLock.unlockWithBlocks(namesystem, "tierwiseExcessOf");
    }
  }
}
