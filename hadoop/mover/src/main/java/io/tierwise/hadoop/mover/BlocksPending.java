package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.compliance.FileJudge;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Blocks whose number of replicas is not that of their file. Replicas on nodes that are being
 * decommissioned do not count: HDFS copies them. Those on nodes in maintenance do: HDFS waits for
 * their nodes. A block that is being written has its replicas when it is done. Replicas that a
 * snapshot keeps are none too many.
 */
final class BlocksPending {
  private static final Set<AdminStates> LEAVING =
      EnumSet.of(AdminStates.DECOMMISSION_INPROGRESS, AdminStates.DECOMMISSIONED);

  private long tooMany;
  private long tooFew;

  private final SnapshotNumbers snapshots;

  private BlocksPending(DistributedFileSystem fs) {
    snapshots = new SnapshotNumbers(fs);
  }

  /** Of the files below a path. */
  static BlocksPending below(DistributedFileSystem fs, String path) throws IOException {
    BlocksPending pending = new BlocksPending(fs);
    FilesBelow.walk(fs, path, true, pending::add);
    return pending;
  }

  private void add(String path, HdfsFileStatus status) throws IOException {
    HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) status;
    LocatedBlocks located = file.getLocatedBlocks();
    int most = Math.max(status.getReplication(), snapshots.keptBeyond(path, file));
    for (LocatedBlock block : located.getLocatedBlocks()) {
      if (FileJudge.isBeingWritten(block, located)) {
        continue;
      }
      long replicas = Arrays.stream(block.getLocations()).filter(BlocksPending::counts).count();
      tooMany += replicas > most ? 1 : 0;
      tooFew += replicas < status.getReplication() ? 1 : 0;
    }
  }

  /** Whether a replica on the node is one of those that a block should have. */
  static boolean counts(DatanodeInfo node) {
    return !LEAVING.contains(node.getAdminState());
  }

  long tooMany() {
    return tooMany;
  }

  long all() {
    return tooMany + tooFew;
  }
}
