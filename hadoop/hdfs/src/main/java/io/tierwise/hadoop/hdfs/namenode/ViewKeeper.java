package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.OnceLog;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the {@link ClusterIndex} in step with the cluster, off the decision path.
 *
 * <p>A daemon thread looks once a second whether a new index would differ (a fingerprint: no
 * sorting, nothing kept) and builds it if so. A decision that notices a change itself (nodes came
 * or went, nothing was found) asks for a look earlier. Where a look and a build cost less than
 * {@link #INLINE_NANOS_MAX}, it makes them at once; elsewhere the old index serves until the thread
 * has a new one. Either way looks and builds never take more than one twentieth of one core.
 *
 * <p>One exception: with at most {@link #NODES_INLINE_MAX} nodes times say nothing. One look that
 * the operating system interrupts would forbid the next ones for seconds, in which a node that has
 * just come takes no block. There a decision that knows that the index is old never uses it, and
 * looks rest for {@link #REST_NANOS_MAX_INLINE} at most.
 */
final class ViewKeeper implements AutoCloseable {
  static final long TICK_NANOS = 1_000_000_000L;
  static final long INLINE_NANOS_MAX = 2_000_000L;

  /** A look at so many nodes takes microseconds, even if the clock showed more for the last one. */
  static final int NODES_INLINE_MAX = 32;

  /** Own: where a look takes ten microseconds, one in a hundred of a core. */
  static final long REST_NANOS_MAX_INLINE = 1_000_000L;

  /** Time that must pass for each nanosecond of looking and building: 5% of one core. */
  private static final long REST_FACTOR = 20;

  private static final Logger LOG = LoggerFactory.getLogger(ViewKeeper.class);

  private final NetworkTopology topology;
  private final CountedTiers tiers;
  private final RegionNames regions;
  private final WriteAdmission admission;
  private final CellBytes cellBytes;
  private final Runnable onTick;
  private final LongSupplier clock;
  private final OnceLog once = new OnceLog(LOG);
  private final ReentrantLock building = new ReentrantLock();
  private final Thread thread;

  private volatile ClusterIndex index;
  private volatile long nextLookNanos;
  private volatile long lookNanos;
  private volatile long buildNanos;
  private final AtomicLong builtCount = new AtomicLong();
  private final AtomicLong lookCount = new AtomicLong();
  private volatile boolean closed;

  /**
   * @param blockBytes the usual block size: volumes without room for one stand in no cell
   * @param blockBytesMin the smallest block size that HDFS accepts
   * @param onTick what else is to be done once a second
   */
  ViewKeeper(
      NetworkTopology topology,
      CountedTiers tiers,
      RegionNames regions,
      WriteAdmission admission,
      long blockBytes,
      long blockBytesMin,
      Runnable onTick) {
    this(topology, tiers, regions, admission, blockBytes, blockBytesMin, onTick, System::nanoTime);
  }

  /**
   * @param clock nanoseconds
   */
  ViewKeeper(
      NetworkTopology topology,
      CountedTiers tiers,
      RegionNames regions,
      WriteAdmission admission,
      long blockBytes,
      long blockBytesMin,
      Runnable onTick,
      LongSupplier clock) {
    this.topology = topology;
    this.tiers = tiers;
    this.regions = regions;
    this.admission = admission;
    this.onTick = onTick;
    this.clock = clock;
    nextLookNanos = clock.getAsLong();
    cellBytes = new CellBytes(blockBytes, blockBytesMin, nextLookNanos);
    index = build(leaves(), blockBytes);
    admission.refreshLoad(index);
    thread = new Thread(this::run, "tierwise-cluster-view");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The index to decide with, a fresh one when the cluster visibly changed and it is small. */
  ClusterIndex current() {
    ClusterIndex current = index;
    return isOld(current) ? lookForKnownChange() : current;
  }

  /** Whether nodes came, went, or had not reported their storages when it was made. */
  private boolean isOld(ClusterIndex any) {
    return any.incomplete || any.nodes.length != topology.getNumOfLeaves();
  }

  private boolean isSmall() {
    return topology.getNumOfLeaves() <= NODES_INLINE_MAX;
  }

  private ClusterIndex lookForKnownChange() {
    if (!isSmall()) {
      return lookNow();
    }
    building.lock();
    try {
      if (isOld(index) || isTooCoarse(index, clock.getAsLong())) {
        look();
      }
      return index;
    } finally {
      building.unlock();
    }
  }

  /** Whether volumes stand in no cell of it that have room for blocks that are written now. */
  private boolean isTooCoarse(ClusterIndex any, long nowNanos) {
    return cellBytes.at(nowNanos) < any.cellBytes;
  }

  /**
   * As {@link #current}, for a managed file with blocks of that size: volumes with room for those
   * belong into the cells while such files are written.
   */
  ClusterIndex currentFor(long blockBytes) {
    if (!cellBytes.isUsual(blockBytes)) {
      long now = clock.getAsLong();
      cellBytes.note(blockBytes, now);
      if (isTooCoarse(index, now)) {
        return lookForKnownChange();
      }
    }
    return current();
  }

  /** Called when a decision found too little: perhaps the cluster has changed. */
  ClusterIndex lookNow() {
    boolean cheap = lookNanos + buildNanos < INLINE_NANOS_MAX || isSmall();
    if (cheap && clock.getAsLong() - nextLookNanos >= 0 && building.tryLock()) {
      try {
        look();
      } finally {
        building.unlock();
      }
    } else {
      LockSupport.unpark(thread);
    }
    return index;
  }

  /**
   * Called when a decision gave a wish up: where as many nodes came as went, nobody notices a
   * change. Looks in a small cluster alone; a tier of a large one may be full for hours.
   */
  ClusterIndex lookAfterFallback() {
    if (!isSmall() || clock.getAsLong() - nextLookNanos < 0) {
      return index;
    }
    building.lock();
    try {
      if (clock.getAsLong() - nextLookNanos >= 0) {
        look();
      }
      return index;
    } finally {
      building.unlock();
    }
  }

  WriteAdmission admission() {
    return admission;
  }

  ClusterIndex index() {
    return index;
  }

  /**
   * The replicas of a block beside the index at hand. Looks at no other node and builds nothing, so
   * that it may be called under the namesystem's lock.
   */
  ReplicaView replicas(Collection<DatanodeStorageInfo> replicas) {
    return replicas(index, ClusterView.NONE, replicas);
  }

  /**
   * As {@link #replicas(Collection)}, beside an index that a decision is being made with.
   *
   * @param writerNode node of that index, or {@link ClusterView#NONE}
   */
  ReplicaView replicas(
      ClusterIndex beside, int writerNode, Collection<DatanodeStorageInfo> replicas) {
    return new ReplicaView(beside, admission, writerNode, tiers.configuration(), regions, replicas);
  }

  /** The rack of a network location in an index of this cluster, or {@link ClusterView#NONE}. */
  int rackOf(String location, ClusterIndex of) {
    return of.rackOf(regions.rackOf(location));
  }

  /** Whether HDFS's tree has node groups below racks. */
  boolean hasNodeGroups() {
    return regions.hasNodeGroups();
  }

  long builtCount() {
    return builtCount.get();
  }

  /** How often the cluster was compared with the index. */
  long lookCount() {
    return lookCount.get();
  }

  long buildNanos() {
    return buildNanos;
  }

  private void run() {
    while (!closed) {
      long now = clock.getAsLong();
      long untilAllowed = Math.max(0, nextLookNanos - now);
      if (untilAllowed > 0) {
        LockSupport.parkNanos(this, untilAllowed);
        continue;
      }
      try {
        building.lock();
        try {
          look();
        } finally {
          building.unlock();
        }
        admission.refreshLoad(index);
        onTick.run();
      } catch (Throwable e) {
        // After any failure decisions go on with the last index, and the thread looks again.
        once.warn(
            e.getClass() + " in a look",
            "Tierwise could not look at the cluster; it goes on trying: " + e,
            e);
      }
      LockSupport.parkNanos(this, TICK_NANOS);
    }
  }

  private void look() {
    long start = clock.getAsLong();
    List<Node> leaves = leaves();
    ClusterIndex old = index;
    long bytes = cellBytes.at(start);
    boolean changed =
        old.cellBytes != bytes
            || old.fingerprint != ClusterIndex.fingerprintOf(leaves, admission, bytes);
    long looked = clock.getAsLong();
    lookNanos = looked - start;
    if (changed) {
      ClusterIndex built = build(leaves, bytes);
      built.takeOver(old);
      index = built;
      builtCount.incrementAndGet();
      buildNanos = clock.getAsLong() - looked;
    }
    lookCount.incrementAndGet();
    long end = clock.getAsLong();
    long rest = REST_FACTOR * (end - start);
    nextLookNanos = end + (isSmall() ? Math.min(rest, REST_NANOS_MAX_INLINE) : rest);
  }

  /** Twice when the cluster is the first to show a tier, which counts in the same view then. */
  private ClusterIndex build(List<Node> leaves, long bytes) {
    ClusterIndex built = ClusterIndex.of(leaves, tiers.configuration(), regions, admission, bytes);
    return tiers.note(built.volumeTiers)
        ? ClusterIndex.of(leaves, tiers.configuration(), regions, admission, bytes)
        : built;
  }

  /**
   * Not locked by Hadoop: a node that leaves meanwhile shows as null and is met by the next look.
   */
  private List<Node> leaves() {
    return topology.getNumOfLeaves() == 0 ? List.of() : topology.getLeaves(NodeBase.ROOT);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
