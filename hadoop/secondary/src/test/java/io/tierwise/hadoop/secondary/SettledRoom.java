package io.tierwise.hadoop.secondary;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * The room of a cluster once all that was written and deleted is in it: DataNodes tell it by their
 * heartbeats, and delete replicas some time after their files.
 */
final class SettledRoom {
  private static final int ROUNDS = 60;

  private SettledRoom() {}

  static FsStatus of(MiniDFSCluster cluster) throws IOException {
    FsStatus before = null;
    for (int round = 0; round < ROUNDS; round++) {
      cluster.triggerHeartbeats();
      FsStatus room = cluster.getFileSystem().getStatus();
      if (before != null && room.getRemaining() == before.getRemaining() && !isDeleting(cluster)) {
        return room;
      }
      before = room;
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
    throw new IOException("HDFS is still deleting after " + ROUNDS + " s");
  }

  private static boolean isDeleting(MiniDFSCluster cluster) {
    long deletions = cluster.getNamesystem().getPendingDeletionBlocks();
    for (DataNode node : cluster.getDataNodes()) {
      deletions += node.getFSDataset().getPendingAsyncDeletions();
    }
    return deletions > 0;
  }
}
