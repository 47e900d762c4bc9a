package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;

/**
 * Counts the blocks of all files below a directory, without those below a policy of their own, in
 * steps that each hold the namesystem's FS read lock for a bounded number of inodes.
 *
 * <p>Between two steps the tree may change. A step goes on behind the last child that it saw, by
 * name, so that nothing that stays in its place is missed or counted twice; what came, went or was
 * renamed meanwhile may be in the count or not.
 *
 * <p>For one thread at a time.
 */
final class DataSetCount {
  private final FSNamesystem namesystem;
  private final Deque<Position> left = new ArrayDeque<>();
  private long blocks;

  /** A directory to look into, behind the child of that name; null: from its first child. */
  private record Position(long directoryId, byte[] lastName) {}

  DataSetCount(FSNamesystem namesystem, long directoryId) {
    this.namesystem = namesystem;
    left.push(new Position(directoryId, null));
  }

  /**
   * Goes on for at most that many inodes under one hold of the lock.
   *
   * @return whether everything is counted
   */
  boolean step(int inodesMax) {
    TreeLock.lock(namesystem);
    try {
      int inodesLeft = inodesMax;
      while (inodesLeft > 0 && !left.isEmpty()) {
        inodesLeft -= 1 + look(left.pop(), inodesLeft);
      }
    } finally {
      TreeLock.unlock(namesystem, "tierwiseDataSet");
    }
    return left.isEmpty();
  }

  /** Blocks counted so far. */
  long blocks() {
    return blocks;
  }

  /** Looks at one directory's next children; how many it looked at. */
  private int look(Position position, int inodesMax) {
    INode inode = namesystem.getFSDirectory().getInode(position.directoryId());
    if (inode == null || !inode.isDirectory()) {
      return 0;
    }
    ReadOnlyList<INode> children = inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
    int first = position.lastName() == null ? 0 : indexBehind(children, position.lastName());
    int end = (int) Math.min(children.size(), (long) first + inodesMax);
    if (end < children.size()) {
      byte[] lastName = children.get(end - 1).getLocalNameBytes();
      left.push(new Position(position.directoryId(), lastName));
    }
    for (int i = first; i < end; i++) {
      add(children.get(i));
    }
    return end - first;
  }

  private void add(INode child) {
    if (hasOwnPolicy(child)) {
      return;
    }
    if (child.isDirectory()) {
      left.push(new Position(child.getId(), null));
    } else if (child.isFile() && !child.asFile().isStriped()) {
      blocks += child.asFile().numBlocks();
    }
  }

  static int indexBehind(ReadOnlyList<INode> children, byte[] name) {
    int found = ReadOnlyList.Util.binarySearch(children, name);
    return found >= 0 ? found + 1 : -(found + 1);
  }

  private static boolean hasOwnPolicy(INode inode) {
    XAttrFeature feature = inode.getXAttrFeature();
    return feature != null && feature.getXAttr(NamespacePolicies.ATTRIBUTE) != null;
  }
}
