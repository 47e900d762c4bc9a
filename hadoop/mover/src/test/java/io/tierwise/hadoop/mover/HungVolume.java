package io.tierwise.hadoop.mover;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * A volume on which nothing is finished any more, as when its disk hangs under a thread that writes
 * there: the DataNode goes on with its heartbeats, takes connections, and does not answer what
 * needs the volume. Until it is closed.
 */
final class HungVolume implements AutoCloseable {
  private final CountDownLatch over;
  private final Thread holder;

  private HungVolume(Thread holder, CountDownLatch over) {
    this.holder = holder;
    this.over = over;
  }

  static HungVolume of(LiveCluster cluster, int node, StorageType type)
      throws IOException, InterruptedException {
    DataNode dataNode = cluster.mini().getDataNodes().get(node);
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    String volume = idOf(dataNode, type);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Runnable hold =
        () -> {
          try (AutoCloseDataSetLock lock =
              dataNode
                  .getFSDataset()
                  .acquireDatasetLockManager()
                  .writeLock(LockLevel.VOLUME, pool, volume)) {
            held.countDown();
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    Thread holder = RunThreads.daemon(hold, "hung-volume");
    holder.start();
    if (!held.await(1, TimeUnit.MINUTES)) {
      throw new AssertionError("the volume is in use");
    }
    return new HungVolume(holder, over);
  }

  private static String idOf(DataNode node, StorageType type) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == type) {
          return volume.getStorageID();
        }
      }
    }
    throw new AssertionError("no " + type);
  }

  @Override
  public void close() throws InterruptedException {
    over.countDown();
    holder.join();
  }
}
