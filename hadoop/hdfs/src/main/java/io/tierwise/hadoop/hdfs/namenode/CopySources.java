package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.net.Node;

/**
 * The facts that are known of a block that is copied: where its replicas are when none is live, and
 * those on nodes in maintenance. The NameNode names its file, its length, the live replicas, the
 * node that it is copied from and all nodes that hold it, but not the block.
 */
final class CopySources {
  /** Own, not measured: bounds what each copy looks at under the namesystem's lock. */
  private static final int BLOCKS_MAX = 4096;

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

  /**
   * The storages on nodes in maintenance that hold the block to be copied: a block of that length
   * that is on all live storages and all those nodes. Several blocks of a file may be alike; then
   * the storages of all of them. None for a very large file.
   */
  static List<DatanodeStorageInfo> waiting(INodeFile file, PathPolicies.Occasion occasion) {
    boolean copies = occasion.kind() == DecisionKind.RECONSTRUCTION && occasion.excluded() != null;
    List<DatanodeDescriptor> serviced = copies ? inMaintenance(occasion.excluded()) : List.of();
    if (serviced.isEmpty() || file.numBlocks() > BLOCKS_MAX) {
      return List.of();
    }
    List<DatanodeStorageInfo> waiting = new ArrayList<>();
    for (BlockInfo block : file.getBlocks()) {
      if (block.getNumBytes() == occasion.blockBytes() && isOnAll(block, occasion.live())) {
        List<DatanodeStorageInfo> ofBlock = new ArrayList<>();
        serviced.forEach(node -> addOn(node, block, ofBlock));
        if (ofBlock.size() >= serviced.size()) {
          waiting.addAll(ofBlock);
        }
      }
    }
    return waiting;
  }

  private static List<DatanodeDescriptor> inMaintenance(Set<Node> nodes) {
    List<DatanodeDescriptor> serviced = new ArrayList<>();
    for (Node node : nodes) {
      if (node instanceof DatanodeDescriptor descriptor && descriptor.isInMaintenance()) {
        serviced.add(descriptor);
      }
    }
    return serviced;
  }

  private static boolean isOnAll(BlockInfo block, List<DatanodeStorageInfo> storages) {
    Set<DatanodeStorageInfo> missing = new HashSet<>(storages);
    block.getStorageInfos().forEachRemaining(missing::remove);
    return missing.isEmpty();
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
}
