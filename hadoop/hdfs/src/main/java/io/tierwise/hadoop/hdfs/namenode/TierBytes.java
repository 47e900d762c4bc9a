package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.ByteLimit;
import io.tierwise.policies.placement.PlacementRequest.Allowance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.slf4j.LoggerFactory;

/**
 * Limits in bytes of directories on tiers: what stands there is counted again and again by a daemon
 * thread, and what was placed since a count began is added to it. Nothing is stored.
 *
 * <p>Until the first count ends, what it has found so far holds, which is never too much.
 */
final class TierBytes {
  /** The locks are held for one twentieth of the time at most. */
  private static final int REST_FACTOR = 20;

  static final int UNITS_PER_HOLD = 1_000;
  private static final long THREAD_IDLE_SECONDS_MAX = 10;

  /** A number that no storage type's limit has. */
  private static final int USED_UP = 1_000;

  private final OnceLog once = new OnceLog(LoggerFactory.getLogger(TierBytes.class));
  private final FSNamesystem namesystem;
  private final List<Use> uses;
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(
          0,
          1,
          THREAD_IDLE_SECONDS_MAX,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          TierBytes::thread,
          new ThreadPoolExecutor.DiscardPolicy());

  TierBytes(FSNamesystem namesystem, List<ByteLimit> limits) {
    this.namesystem = namesystem;
    this.uses = limits.stream().map(Use::new).toList();
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tierwise-tier-bytes");
    thread.setDaemon(true);
    return thread;
  }

  /** The bytes of a directory on a tier, as far as they are known. */
  static final class Use {
    private static final long NO_INODE = -1;

    private final ByteLimit limit;
    private final AtomicLong placed = new AtomicLong();
    private volatile long inodeId = NO_INODE;

    /** Bytes counted, less those placed before the count began: to be added to {@link #placed}. */
    private volatile long counted;

    private volatile Map<DatanodeDescriptor, Long> bytesOfNodes = Map.of();

    private volatile boolean known;

    Use(ByteLimit limit) {
      this.limit = limit;
    }

    void placed(int tier, long bytes) {
      if (tier == limit.tier()) {
        placed.addAndGet(bytes);
      }
    }

    /**
     * @param isCopy whether a lost replica is made again; then bytes of nodes that died, or began
     *     to leave, after the count do not stand in its way
     */
    private boolean isUsedUp(boolean isCopy) {
      long bytes = bytes();
      return bytes >= limit.bytes() && !(isCopy && bytes - bytesOfLostNodes() < limit.bytes());
    }

    /** Of the last count that ended. */
    Map<DatanodeDescriptor, Long> bytesOfNodes() {
      return bytesOfNodes;
    }

    private long bytesOfLostNodes() {
      long lost = 0;
      for (Map.Entry<DatanodeDescriptor, Long> of : bytesOfNodes.entrySet()) {
        if (!of.getKey().isAlive() || TierBytesWalk.isLeaving(of.getKey())) {
          lost += of.getValue();
        }
      }
      return lost;
    }

    long bytes() {
      return counted + placed.get();
    }

    /** Another NameNode may write from now on. */
    private void forget() {
      known = false;
      bytesOfNodes = Map.of();
      counted = -placed.get();
    }
  }

  /** The limits of the directories among {@code inodes}. Under the FS lock. */
  List<Use> above(INode[] inodes) {
    if (uses.isEmpty()) {
      return List.of();
    }
    List<Use> found = new ArrayList<>();
    for (Use use : uses) {
      for (INode inode : inodes) {
        if (inode != null && inode.getId() == use.inodeId) {
          found.add(use);
        }
      }
    }
    return found;
  }

  /** Refuses the volumes of tiers that are used up for the file, whatever else holds. */
  static Allowance allowance(
      Allowance other, List<Use> uses, DecisionKind kind, ClusterIndex index) {
    boolean isCopy = kind == DecisionKind.RECONSTRUCTION;
    BitSet usedUp = new BitSet();
    for (Use use : uses) {
      if (use.isUsedUp(isCopy)) {
        usedUp.set(use.limit.tier());
      }
    }
    return usedUp.isEmpty() ? other : new Refusing(other, usedUp, index);
  }

  private record Refusing(Allowance other, BitSet usedUpTiers, ClusterIndex index)
      implements Allowance {
    @Override
    public int limitOf(int volume) {
      int tier = index.volumeTiers[volume];
      return tier != TierTable.NONE && usedUpTiers.get(tier) ? USED_UP : other.limitOf(volume);
    }

    @Override
    public int replicasLeft(int limit) {
      return limit == USED_UP ? 0 : other.replicasLeft(limit);
    }
  }

  /** Has the limits counted again, elsewhere, unless that is under way. */
  void refresh(Supplier<ClusterIndex> index, BooleanSupplier active) {
    if (uses.isEmpty()) {
      return;
    }
    if (active.getAsBoolean()) {
      worker.execute(() -> count(index, active));
    } else {
      uses.forEach(Use::forget);
    }
  }

  private void count(Supplier<ClusterIndex> index, BooleanSupplier active) {
    for (Use use : uses) {
      try {
        count(use, index, active);
      } catch (IOException | RuntimeException e) {
        once.warn(
            "count " + use.limit.path(),
            "What " + use.limit.path() + " has on a tier cannot be counted; it is tried again",
            e);
      }
    }
  }

  private void count(Use use, Supplier<ClusterIndex> index, BooleanSupplier active)
      throws IOException {
    long before = use.placed.get();
    use.inodeId = inodeOf(use.limit.path());
    TierBytesWalk walk = new TierBytesWalk(namesystem, use.inodeId, use.limit.tier());
    boolean done = false;
    while (!done) {
      long start = System.nanoTime();
      done = walk.step(UNITS_PER_HOLD, index.get());
      LockSupport.parkNanos(this, REST_FACTOR * (System.nanoTime() - start));
      if (!active.getAsBoolean()) {
        return;
      }
      if (done || !use.known) {
        use.counted = walk.bytes() - before;
      }
    }
    use.bytesOfNodes = walk.bytesOfNodes();
    use.known = true;
  }

  private long inodeOf(String path) throws IOException {
    TreeLock.lock(namesystem);
    try {
      INode inode = namesystem.getFSDirectory().getINode(path, FSDirectory.DirOp.READ_LINK);
      return inode == null ? Use.NO_INODE : inode.getId();
    } finally {
      TreeLock.unlock(namesystem, "tierwiseTierBytes");
    }
  }
}
