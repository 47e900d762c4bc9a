package io.tierwise.hadoop.hdfs.namenode;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;

/**
 * What a NameNode has to repair: blocks that wait for a copy to be ordered, blocks whose copies are
 * ordered and not yet reported, replicas to be dropped, and the nodes that it can use.
 */
record RepairState(long waiting, long ordered, long excess, int liveNodes) {

  static RepairState of(BlockManager blocks) {
    BlockManagerTestUtil.updateState(blocks);
    return new RepairState(
        blocks.getLowRedundancyBlocksCount(),
        blocks.getPendingReconstructionBlocksCount(),
        blocks.getExcessBlocksCount(),
        blocks.getDatanodeManager().getNumLiveDataNodes());
  }

  /** Whether no copy is ordered or about to be. */
  boolean isIdle() {
    return waiting == 0 && ordered == 0;
  }
}
