package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * Numbers the blocks of directories that are one data set, for a policy that keeps a ratio over all
 * of a directory's files.
 *
 * <p>A data set's first number is the count of blocks that the directory holds; from then on each
 * decision gets the next one, so that concurrent writers get distinct numbers and the ratio holds
 * for every prefix. A number whose block never came to be (abandoned, asked for again, file gone)
 * is given out again, lowest first. Once a second the directories in use are counted again: blocks
 * that were deleted or moved away leave the count, and with it the ratio is kept among what is
 * written from then on. Nothing is stored: a restarted NameNode counts first.
 *
 * <p>Locks: a data set's monitor is taken before the namesystem's FS read lock and never the other
 * way round; the FS lock is held for one directory at a time.
 */
final class DataSets {
  private static final long IDLE_NANOS_MAX = 600_000_000_000L;

  /** Counting again may take one twentieth of the time that passes. */
  private static final long REST_FACTOR = 20;

  private final FSNamesystem namesystem;
  private final Map<Long, DataSet> byDirectory = new ConcurrentHashMap<>();

  DataSets(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /**
   * The number of the block that the file is about to get.
   *
   * @param blockCount blocks that the file has by now
   */
  long nextIndex(INodeDirectory directory, long fileId, int blockCount) {
    DataSet set = byDirectory.computeIfAbsent(directory.getId(), DataSet::new);
    return set.nextIndex(fileId, blockCount);
  }

  /** Counts the directories in use again and forgets the idle ones. */
  void refresh() {
    long now = System.nanoTime();
    byDirectory.values().removeIf(set -> now - set.usedNanos > IDLE_NANOS_MAX);
    for (DataSet set : byDirectory.values()) {
      if (now - set.nextCountNanos >= 0) {
        set.recount();
      }
    }
  }

  /** Forgets everything: another NameNode may have written meanwhile. */
  void clear() {
    byDirectory.clear();
  }

  /** A number that was given out for a file that had {@code blockCount} blocks then. */
  private record Given(long index, int blockCount) {}

  private final class DataSet {
    private final long directoryId;
    private final Map<Long, Given> latestOfFile = new HashMap<>();
    private final TreeSet<Long> returned = new TreeSet<>();
    private long next = -1;
    private volatile long usedNanos = System.nanoTime();
    private volatile long nextCountNanos;

    DataSet(long directoryId) {
      this.directoryId = directoryId;
    }

    synchronized long nextIndex(long fileId, int blockCount) {
      usedNanos = System.nanoTime();
      if (next < 0) {
        next = countTimed();
      }
      Given latest = latestOfFile.get(fileId);
      if (latest != null && blockCount <= latest.blockCount()) {
        latestOfFile.put(fileId, new Given(latest.index(), blockCount));
        return latest.index();
      }
      Long free = returned.pollFirst();
      long index = free != null ? free : next++;
      latestOfFile.put(fileId, new Given(index, blockCount));
      return index;
    }

    /**
     * Takes back the numbers of lost blocks; where blocks left or came otherwise, goes on from what
     * the directory holds plus what is given out and not there yet.
     */
    synchronized void recount() {
      if (next < 0) {
        return;
      }
      Map<Long, State> before = states();
      long stored = countTimed();
      if (!before.equals(states())) {
        return; // A block was stored while we counted: it may be in the count or not.
      }
      List<Long> open = new ArrayList<>();
      before.forEach(
          (fileId, state) -> {
            long index = latestOfFile.get(fileId).index();
            switch (state) {
              case PENDING -> open.add(index);
              case STORED -> {}
              case STORED_AND_CLOSED -> latestOfFile.remove(fileId);
              case LOST -> {
                returned.add(index);
                latestOfFile.remove(fileId);
              }
            }
          });
      if (stored != next - open.size() - returned.size()) {
        returned.clear();
        next = Math.max(stored + open.size(), highest(open) + 1);
      }
    }

    private Map<Long, State> states() {
      Map<Long, State> states = new HashMap<>();
      latestOfFile.forEach((fileId, given) -> states.put(fileId, stateOf(fileId, given)));
      return states;
    }

    private long highest(List<Long> indexes) {
      return indexes.stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    private long countTimed() {
      long start = System.nanoTime();
      long count = countBlocks(directoryId);
      long end = System.nanoTime();
      nextCountNanos = end + Math.max(ViewKeeper.TICK_NANOS / 2, REST_FACTOR * (end - start));
      return count;
    }
  }

  private enum State {
    PENDING,
    STORED,
    STORED_AND_CLOSED,
    LOST
  }

  private State stateOf(long fileId, Given given) {
    namesystem.readLock(RwLockMode.FS);
    try {
      INode inode = namesystem.getFSDirectory().getInode(fileId);
      if (inode == null || !inode.isFile()) {
        return State.LOST;
      }
      INodeFile file = inode.asFile();
      boolean stored = file.numBlocks() > given.blockCount();
      if (file.isUnderConstruction()) {
        return stored ? State.STORED : State.PENDING;
      }
      return stored ? State.STORED_AND_CLOSED : State.LOST;
    } finally {
      namesystem.readUnlock(RwLockMode.FS, "tierwiseDataSet");
    }
  }

  /** Blocks of all files below the directory, without those below a policy of their own. */
  private long countBlocks(long directoryId) {
    long blocks = 0;
    Deque<Long> left = new ArrayDeque<>(List.of(directoryId));
    while (!left.isEmpty()) {
      long id = left.pop();
      namesystem.readLock(RwLockMode.FS);
      try {
        INode inode = namesystem.getFSDirectory().getInode(id);
        if (inode == null || !inode.isDirectory()) {
          continue;
        }
        for (INode child : inode.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
          if (hasOwnPolicy(child)) {
            continue;
          }
          if (child.isDirectory()) {
            left.push(child.getId());
          } else if (child.isFile() && !child.asFile().isStriped()) {
            blocks += child.asFile().numBlocks();
          }
        }
      } finally {
        namesystem.readUnlock(RwLockMode.FS, "tierwiseDataSet");
      }
    }
    return blocks;
  }

  private static boolean hasOwnPolicy(INode inode) {
    XAttrFeature feature = inode.getXAttrFeature();
    return feature != null && feature.getXAttr(NamespacePolicies.ATTRIBUTE) != null;
  }
}
