package io.tierwise.hadoop.hdfs.namenode;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Counts the blocks that are scheduled to each volume of a node.
 *
 * <p>The NameNode counts scheduled blocks by node and storage type: up when a block is allocated,
 * down when it is received, and to nothing after 10 to 20 minutes. Where a block goes is known here
 * alone, so each volume has a count of the blocks that were placed on it. Once a heartbeat it goes
 * down by as many blocks as the volume has more than before; and counts that add up to more than
 * the NameNode's are scaled down to it (blocks that were deleted meanwhile hide some that were
 * received; some never came to be). Blocks that the NameNode counts beyond them were placed by
 * stock HDFS on any volume of the type, and are charged to each.
 *
 * <p>Safe for many threads; concurrent ones may lose a count, which the NameNode's then covers as
 * one that may go anywhere.
 */
final class ScheduledBlocks {
  private final DatanodeDescriptor[] nodes;
  private final DatanodeStorageInfo[] volumes;
  private final int[] volumeNodes;

  /** Volumes by node: those of node n from entry {@code starts[n]} to {@code starts[n + 1]}. */
  private final int[] starts;

  private final int[] byNode;
  private final AtomicIntegerArray counts;
  private final AtomicIntegerArray blocksBefore;
  private final AtomicLongArray settledAt;

  ScheduledBlocks(DatanodeDescriptor[] nodes, DatanodeStorageInfo[] volumes, int[] volumeNodes) {
    this.nodes = nodes;
    this.volumes = volumes;
    this.volumeNodes = volumeNodes;
    starts = new int[nodes.length + 1];
    for (int node : volumeNodes) {
      starts[node + 1]++;
    }
    for (int node = 0; node < nodes.length; node++) {
      starts[node + 1] += starts[node];
    }
    byNode = new int[volumes.length];
    int[] next = starts.clone();
    for (int volume = 0; volume < volumes.length; volume++) {
      byNode[next[volumeNodes[volume]]++] = volume;
    }
    counts = new AtomicIntegerArray(volumes.length);
    blocksBefore = new AtomicIntegerArray(volumes.length);
    for (int volume = 0; volume < volumes.length; volume++) {
      blocksBefore.set(volume, StorageInternals.blockCount(volumes[volume]));
    }
    settledAt = new AtomicLongArray(nodes.length);
  }

  /** Notes that a block was placed on the volume. */
  void add(int volume) {
    settleOnce(volumeNodes[volume]);
    counts.incrementAndGet(volume);
  }

  void copy(ScheduledBlocks from, int fromVolume, int volume) {
    counts.set(volume, from.counts.get(fromVolume));
    blocksBefore.set(volume, from.blocksBefore.get(fromVolume));
  }

  /**
   * Blocks that may come to the volumes of that type among {@code first} to before {@code end}, all
   * of them on {@code node}.
   */
  long to(int node, StorageType type, int first, int end) {
    long scheduled = nodes[node].getBlocksScheduled(type);
    if (scheduled == 0) {
      return 0;
    }
    settleOnce(node);
    long here = 0;
    for (int volume = first; volume < end; volume++) {
      here += volumes[volume].getStorageType() == type ? counts.get(volume) : 0;
    }
    long placed = placed(node, type);
    return placed <= scheduled
        ? scheduled - placed + here
        : (scheduled * here + placed - 1) / placed;
  }

  private long placed(int node, StorageType type) {
    long placed = 0;
    for (int i = starts[node]; i < starts[node + 1]; i++) {
      placed += volumes[byNode[i]].getStorageType() == type ? counts.get(byNode[i]) : 0;
    }
    return placed;
  }

  private void settleOnce(int node) {
    long heartbeat = nodes[node].getLastUpdateMonotonic();
    if (settledAt.get(node) != heartbeat && settledAt.getAndSet(node, heartbeat) != heartbeat) {
      for (int i = starts[node]; i < starts[node + 1]; i++) {
        takeOffReceived(byNode[i]);
      }
      for (int i = starts[node]; i < starts[node + 1]; i++) {
        scale(node, volumes[byNode[i]].getStorageType());
      }
    }
  }

  private void takeOffReceived(int volume) {
    int blocks = StorageInternals.blockCount(volumes[volume]);
    int received = blocks - blocksBefore.getAndSet(volume, blocks);
    if (received > 0) {
      counts.updateAndGet(volume, count -> Math.max(0, count - received));
    }
  }

  private void scale(int node, StorageType type) {
    long scheduled = nodes[node].getBlocksScheduled(type);
    long placed = placed(node, type);
    if (placed > scheduled) {
      for (int i = starts[node]; i < starts[node + 1]; i++) {
        int volume = byNode[i];
        if (volumes[volume].getStorageType() == type) {
          counts.updateAndGet(volume, count -> (int) ((count * scheduled + placed - 1) / placed));
        }
      }
    }
  }
}
