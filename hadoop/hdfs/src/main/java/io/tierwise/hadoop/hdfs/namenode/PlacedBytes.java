package io.tierwise.hadoop.hdfs.namenode;

import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Bytes that were placed on each volume since its node last said how much room it has, and the
 * volumes of the blocks that are on their way.
 *
 * <p>Between two heartbeats the NameNode believes in room that new blocks have taken: it forgets a
 * scheduled block as soon as it is received. A fast writer would fill a small volume, be refused by
 * one DataNode after the other, exclude all of them and fail, with room left in other tiers. Counts
 * start anew with each heartbeat; concurrent decisions may lose one, which the DataNode then
 * refuses.
 */
final class PlacedBytes {
  /** Volumes with room for more blocks than that are not looked up. Own: 32 GiB of usual blocks. */
  private static final int NEARLY_FULL_BLOCKS = 256;

  private final AtomicLongArray bytes;
  private final AtomicLongArray heartbeats;

  private final ScheduledBlocks scheduled;

  PlacedBytes(DatanodeDescriptor[] nodes, DatanodeStorageInfo[] volumes, int[] volumeNodes) {
    bytes = new AtomicLongArray(volumes.length);
    heartbeats = new AtomicLongArray(volumes.length);
    scheduled = new ScheduledBlocks(nodes, volumes, volumeNodes);
  }

  ScheduledBlocks scheduled() {
    return scheduled;
  }

  void add(int volume, DatanodeStorageInfo storage, long placedBytes) {
    long heartbeat = heartbeatOf(storage);
    if (heartbeats.getAndSet(volume, heartbeat) != heartbeat) {
      bytes.set(volume, 0);
    }
    bytes.addAndGet(volume, placedBytes);
    scheduled.add(volume);
  }

  /**
   * Room on the volume for blocks of {@code blockBytes}, less what was placed there meanwhile and
   * what is kept free.
   */
  long freeBytes(int volume, DatanodeStorageInfo storage, long blockBytes, long keptFreeBytes) {
    long room = StorageInternals.remainingBytes(storage) - keptFreeBytes;
    return room > NEARLY_FULL_BLOCKS * blockBytes ? room : room - since(volume, storage);
  }

  private long since(int volume, DatanodeStorageInfo storage) {
    return heartbeats.get(volume) == heartbeatOf(storage) ? bytes.get(volume) : 0;
  }

  /** Takes over the count of a volume that had another number before. */
  void copy(PlacedBytes from, int fromVolume, int volume) {
    bytes.set(volume, from.bytes.get(fromVolume));
    heartbeats.set(volume, from.heartbeats.get(fromVolume));
    scheduled.copy(from.scheduled, fromVolume, volume);
  }

  private static long heartbeatOf(DatanodeStorageInfo storage) {
    return storage.getDatanodeDescriptor().getLastUpdateMonotonic();
  }
}
