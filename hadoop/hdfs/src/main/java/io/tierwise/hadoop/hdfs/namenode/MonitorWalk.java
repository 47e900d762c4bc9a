package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.namenode.StoredPolicies.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;

/**
 * Goes through the tree and copies out where the blocks of managed files stand, in steps that each
 * hold the namesystem's read locks for a bounded time. Nothing is judged under the locks.
 *
 * <p>An unmanaged inode costs one look at its attributes. Between two steps the tree may change: a
 * step goes on behind the last child that it saw, by name, so that what stays in its place is seen
 * once. For one thread.
 */
final class MonitorWalk {
  /** Own: so many fit into two milliseconds on a slow machine, and bound what is copied out. */
  private static final int BLOCKS_PER_HOLD_MAX = 2_000;

  private static final int UNITS_PER_CLOCK_LOOK = 32;

  private final FSNamesystem namesystem;
  private final StoredPolicies policies;
  private final long holdNanosMax;
  private final boolean withOwners;
  private final Deque<Position> left = new ArrayDeque<>();
  private List<SeenBlock> seen = new ArrayList<>();
  private long endNanos;
  private long heldNanos;
  private int units;
  private long inodes;
  private long files;
  private long blocks;

  /** A directory to look into, behind the child of that name; or a file, from that block on. */
  private record Position(long inodeId, byte[] lastName, int block) {}

  /**
   * A managed file.
   *
   * @param replication of its blocks: more than it wants where a snapshot has it with more
   * @param owner null unless limits go by it; so is {@code path}
   */
  record SeenFile(
      long id, int replication, PolicyCatalog.Entry policy, String owner, String path) {}

  /** A complete block of a managed file and the storages that have it. */
  record SeenBlock(
      SeenFile file, int index, long blockId, long bytes, DatanodeStorageInfo[] replicas) {}

  MonitorWalk(FSNamesystem namesystem, StoredPolicies policies, long holdNanosMax) {
    this.namesystem = namesystem;
    this.policies = policies;
    this.holdNanosMax = holdNanosMax;
    this.withOwners = policies.goByOwner();
  }

  /** Looks at that inode too, and at what is below it. */
  void add(long inodeId) {
    left.push(new Position(inodeId, null, 0));
  }

  boolean isDone() {
    return left.isEmpty();
  }

  /** Inodes, managed files and blocks of those that were looked at. */
  long inodes() {
    return inodes;
  }

  long files() {
    return files;
  }

  long blocks() {
    return blocks;
  }

  /** Goes on under one hold of the locks; returns the blocks that it came by. */
  List<SeenBlock> step() {
    seen = new ArrayList<>();
    TreeLock.lockWithBlocks(namesystem);
    try {
      long startNanos = System.nanoTime();
      endNanos = startNanos + holdNanosMax;
      units = 0;
      boolean goOn = true;
      while (goOn && !left.isEmpty()) {
        goOn = look(left.pop());
      }
      heldNanos = System.nanoTime() - startNanos;
    } finally {
      TreeLock.unlockWithBlocks(namesystem, "tierwiseMonitor");
    }
    blocks += seen.size();
    return seen;
  }

  /** For how long the latest step held the locks. */
  long heldNanos() {
    return heldNanos;
  }

  private boolean mayGoOn() {
    return seen.size() < BLOCKS_PER_HOLD_MAX
        && (++units % UNITS_PER_CLOCK_LOOK != 0 || System.nanoTime() < endNanos);
  }

  /** False when the hold is to end. */
  private boolean look(Position position) {
    INode inode = namesystem.getFSDirectory().getInode(position.inodeId());
    if (inode == null) {
      return mayGoOn();
    }
    Scope scope = policies.of(inode);
    if (inode.isFile()) {
      return lookAtFile(inode.asFile(), scope, position.block());
    }
    return inode.isDirectory() ? lookAtChildren(inode, scope, position.lastName()) : mayGoOn();
  }

  private boolean lookAtChildren(INode directory, Scope scope, byte[] lastName) {
    ReadOnlyList<INode> children =
        directory.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID);
    int at = lastName == null ? 0 : DataSetCount.indexBehind(children, lastName);
    List<Position> below = new ArrayList<>();
    boolean goOn = mayGoOn();
    while (goOn && at < children.size()) {
      INode child = children.get(at++);
      inodes++;
      if (child.isDirectory()) {
        below.add(new Position(child.getId(), null, 0));
        goOn = mayGoOn();
      } else if (child.isFile()) {
        goOn = lookAtFile(child.asFile(), policies.below(scope, child), 0);
      }
    }
    if (at < children.size()) {
      byte[] last = at == 0 ? lastName : children.get(at - 1).getLocalNameBytes();
      left.push(new Position(directory.getId(), last, 0));
    }
    below.forEach(left::push);
    return goOn;
  }

  private boolean lookAtFile(INodeFile file, Scope scope, int fromBlock) {
    PolicyCatalog.Entry policy = policies.entry(scope);
    if (policy == null || isHdfsOwn(file)) {
      return mayGoOn();
    }
    BlockInfo[] all = file.getBlocks();
    SeenFile managed =
        new SeenFile(
            file.getId(),
            file.getPreferredBlockReplication(),
            policy,
            withOwners ? file.getUserName() : null,
            withOwners ? file.getFullPathName() : null);
    files += fromBlock == 0 ? 1 : 0;
    boolean goOn = true;
    for (int block = fromBlock; block < all.length; block++) {
      if (!goOn) {
        left.push(new Position(file.getId(), null, block));
        return false;
      }
      if (all[block].isComplete()) {
        seen.add(seen(managed, block, all[block]));
      }
      goOn = mayGoOn();
    }
    return goOn && mayGoOn();
  }

  /** Whether stock HDFS places it whatever its policy says. */
  private static boolean isHdfsOwn(INodeFile file) {
    if (file.isStriped()) {
      return true;
    }
    byte storagePolicy = file.getStoragePolicyID();
    return storagePolicy == StoragePolicy.LAZY_PERSIST.value()
        || storagePolicy == StoragePolicy.PROVIDED.value();
  }

  private static SeenBlock seen(SeenFile file, int index, BlockInfo block) {
    List<DatanodeStorageInfo> replicas = new ArrayList<>(block.numNodes());
    for (Iterator<DatanodeStorageInfo> all = block.getStorageInfos(); all.hasNext(); ) {
      DatanodeStorageInfo replica = all.next();
      if (replica != null) {
        replicas.add(replica);
      }
    }
    return new SeenBlock(
        file,
        index,
        block.getBlockId(),
        block.getNumBytes(),
        replicas.toArray(new DatanodeStorageInfo[0]));
  }
}
