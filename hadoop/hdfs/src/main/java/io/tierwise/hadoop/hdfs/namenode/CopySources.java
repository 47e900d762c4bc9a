package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;

/**
 * What can be said of a block that is copied while none of its replicas is live. The NameNode names
 * its file, its length and the node that it is copied from, but not the block.
 */
final class CopySources {
  /** Own, not measured: bounds what each copy looks at under the namesystem's lock. */
  private static final int BLOCKS_MAX = 4096;

  /** Blocks that a draw is made among; small, so that a ratio of it is exact. */
  private static final long DRAWS = 1 << 20;

  private CopySources() {}

  /**
   * The source's storages that hold a block of the file of that length; of a very large file all
   * storages of the source.
   */
  static List<DatanodeStorageInfo> of(INodeFile file, DatanodeDescriptor source, long blockBytes) {
    if (file.numBlocks() > BLOCKS_MAX) {
      return List.of(source.getStorageInfos());
    }
    List<DatanodeStorageInfo> storages = new ArrayList<>();
    for (BlockInfo block : file.getBlocks()) {
      if (block.getNumBytes() == blockBytes) {
        addOn(source, block, storages);
      }
    }
    return storages;
  }

  private static void addOn(
      DatanodeDescriptor source, BlockInfo block, List<DatanodeStorageInfo> storages) {
    for (Iterator<DatanodeStorageInfo> holders = block.getStorageInfos(); holders.hasNext(); ) {
      DatanodeStorageInfo holder = holders.next();
      if (holder != null && holder.getDatanodeDescriptor().equals(source)) {
        storages.add(holder);
      }
    }
  }

  /**
   * Stands for the block's unknown index: the same for the same copy, and spread evenly over the
   * copies of a data set, so that a ratio over indexes holds on average.
   */
  static long draw(long fileId, DatanodeDescriptor source, long blockBytes) {
    long mixed = fileId * 31 + blockBytes;
    mixed = mixed * 31 + (source == null ? 0 : source.getDatanodeUuid().hashCode());
    // The finalizer of SplitMix64.
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return Long.remainderUnsigned(mixed ^ (mixed >>> 31), DRAWS);
  }
}
