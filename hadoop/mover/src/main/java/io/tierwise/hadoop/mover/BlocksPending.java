package io.tierwise.hadoop.mover;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Blocks whose number of replicas is not that of their file; those on leaving nodes do not count.
 */
final class BlocksPending {
  private long tooMany;
  private long tooFew;

  private BlocksPending() {}

  /** Of the files below a path. */
  static BlocksPending below(DistributedFileSystem fs, String path) throws IOException {
    BlocksPending pending = new BlocksPending();
    FilesBelow.walk(fs, path, true, pending::add);
    return pending;
  }

  private void add(String path, HdfsFileStatus status) {
    for (LocatedBlock block :
        ((HdfsLocatedFileStatus) status).getLocatedBlocks().getLocatedBlocks()) {
      long replicas =
          Arrays.stream(block.getLocations())
              .filter(node -> node.getAdminState() == AdminStates.NORMAL)
              .count();
      tooMany += replicas > status.getReplication() ? 1 : 0;
      tooFew += replicas < status.getReplication() ? 1 : 0;
    }
  }

  long tooMany() {
    return tooMany;
  }

  long all() {
    return tooMany + tooFew;
  }
}
