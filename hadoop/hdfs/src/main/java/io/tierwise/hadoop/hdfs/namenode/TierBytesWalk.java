package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;

/**
 * Counts the bytes that the replicas of all files below a directory have on one tier, in steps that
 * each hold the namesystem's read locks for a bounded number of inodes and replicas.
 *
 * <p>Replicas on a node that is being decommissioned do not count: they are about to go, and their
 * copies must find the room that they leave.
 *
 * <p>Files that come, go or are renamed between two steps may be counted or not; what stays in its
 * place is counted once. For one thread at a time.
 */
final class TierBytesWalk {
  private final FSNamesystem namesystem;
  private final int tier;
  private final Deque<Position> left = new ArrayDeque<>();
  private final Map<DatanodeDescriptor, Long> bytesOfNodes = new HashMap<>();
  private long bytes;

  /** A directory to look into, behind the child of that name; or a file, from that block on. */
  private record Position(long inodeId, byte[] lastName, int block) {}

  TierBytesWalk(FSNamesystem namesystem, long inodeId, int tier) {
    this.namesystem = namesystem;
    this.tier = tier;
    left.push(new Position(inodeId, null, 0));
  }

  /**
   * Goes on under one hold of the locks.
   *
   * @param unitsMax inodes and replicas to look at; those of one block more at most
   * @return whether everything is counted
   */
  boolean step(int unitsMax, ClusterIndex index) {
    TreeLock.lockWithBlocks(namesystem);
    try {
      int unitsLeft = unitsMax;
      while (unitsLeft > 0 && !left.isEmpty()) {
        unitsLeft -= 1 + look(left.pop(), unitsLeft, index);
      }
    } finally {
      TreeLock.unlockWithBlocks(namesystem, "tierwiseTierBytes");
    }
    return left.isEmpty();
  }

  /** Bytes counted so far. */
  long bytes() {
    return bytes;
  }

  /** The same bytes by the node that has them. */
  Map<DatanodeDescriptor, Long> bytesOfNodes() {
    return bytesOfNodes;
  }

  private int look(Position position, int unitsMax, ClusterIndex index) {
    INode inode = namesystem.getFSDirectory().getInode(position.inodeId());
    if (inode == null) {
      return 0;
    }
    if (inode.isFile()) {
      return lookAtBlocks(inode.asFile(), position, unitsMax, index);
    }
    return inode.isDirectory() ? lookAtChildren(inode, position, unitsMax) : 0;
  }

  private int lookAtChildren(INode directory, Position position, int unitsMax) {
    ReadOnlyList<INode> children =
        directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
    int first =
        position.lastName() == null ? 0 : DataSetCount.indexBehind(children, position.lastName());
    int end = (int) Math.min(children.size(), (long) first + unitsMax);
    if (end < children.size()) {
      byte[] lastName = children.get(end - 1).getLocalNameBytes();
      left.push(new Position(position.inodeId(), lastName, 0));
    }
    for (int i = first; i < end; i++) {
      left.push(new Position(children.get(i).getId(), null, 0));
    }
    return end - first;
  }

  private int lookAtBlocks(INodeFile file, Position position, int unitsMax, ClusterIndex index) {
    BlockInfo[] blocks = file.getBlocks();
    int units = 0;
    for (int block = position.block(); block < blocks.length; block++) {
      if (units >= unitsMax) {
        left.push(new Position(position.inodeId(), null, block));
        return units;
      }
      units += add(file, blocks[block], index);
    }
    return units;
  }

  /** A block that is being written counts whole, where it is expected. */
  private int add(INodeFile file, BlockInfo block, ClusterIndex index) {
    if (block.isStriped()) {
      return 0; // Erasure coded files are placed by stock HDFS.
    }
    Iterator<DatanodeStorageInfo> holders = block.getStorageInfos();
    long size = block.getNumBytes();
    if (!block.isComplete() && block.getUnderConstructionFeature() != null) {
      holders =
          Arrays.asList(block.getUnderConstructionFeature().getExpectedStorageLocations())
              .iterator();
      // A placeholder's block size tells the length of its file. No writer takes that room.
      size =
          Placeholder.isBlockBytes(file.getPreferredBlockSize())
              ? block.getNumBytes()
              : file.getPreferredBlockSize();
    }
    int count = 0;
    while (holders.hasNext()) {
      DatanodeStorageInfo holder = holders.next();
      count++;
      int volume =
          holder == null || isLeaving(holder.getDatanodeDescriptor()) ? -1 : index.idOf(holder);
      if (volume >= 0 && index.volumeTiers[volume] == tier) {
        bytes += size;
        bytesOfNodes.merge(holder.getDatanodeDescriptor(), size, Long::sum);
      }
    }
    return count;
  }

  static boolean isLeaving(DatanodeDescriptor node) {
    return node.isDecommissionInProgress() || node.isDecommissioned();
  }
}
