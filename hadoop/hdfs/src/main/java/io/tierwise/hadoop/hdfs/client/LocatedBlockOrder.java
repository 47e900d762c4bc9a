package io.tierwise.hadoop.hdfs.client;

import io.tierwise.core.action.Order;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.TextNumber;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.ReplicaSorter;
import io.tierwise.hadoop.hdfs.topology.ReplicaTiers;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.SlowReads;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Re-orders the replicas of located blocks in place, for one reader. Safe for many threads.
 *
 * <p>Left alone: erasure-coded blocks (their locations are parts, not copies), and what the
 * NameNode put last: nodes out of service, nodes that stopped sending heartbeats, and PROVIDED
 * storage. When a strategy fails, the block keeps the NameNode's order and the failure is counted.
 */
public final class LocatedBlockOrder {
  /** One line for each block that is ordered, at TRACE. */
  private static final Logger DECISIONS = LoggerFactory.getLogger("tierwise.decisions.read");

  private final ReplicaTiers tiers;
  private final ReaderLocation reader;
  private final TaskIndex taskIndex;
  private final Long seed;
  private final long staleMillis;
  private final TierReads reads;
  private final OnceLog failures =
      new OnceLog("access strategy failed, the NameNode's order is used");

  LocatedBlockOrder(Configuration conf, TierConfiguration tiers, TierReads reads) {
    this.tiers = new ReplicaTiers(tiers);
    this.reader = ReaderLocation.of(conf);
    this.taskIndex = TaskIndex.of(conf);
    String seedText = conf.getTrimmed(ClientKeys.RANDOM_SEED);
    this.seed = seedText == null || seedText.isEmpty() ? null : Long.valueOf(seedText);
    this.staleMillis =
        conf.getTimeDuration(
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
            DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT,
            TimeUnit.MILLISECONDS);
    this.reads = reads;
  }

  /**
   * @throws IllegalArgumentException naming the key and the bad value
   */
  public static LocatedBlockOrder of(Configuration conf, TierConfiguration tiers) {
    return new LocatedBlockOrder(conf, tiers, new TierReads(tiers.table()));
  }

  /** Orders the blocks of a file by a strategy that does not learn. */
  public void order(String path, LocatedBlocks blocks, AccessStrategy strategy) {
    order(fileId(path), blocks, new AccessPick(0, false, strategy));
  }

  void order(long fileId, LocatedBlocks blocks, AccessPick pick) {
    if (blocks.getErasureCodingPolicy() == null) {
      order(fileId, blocks, pick, LocatedBlockOrder::unheard);
    }
  }

  /**
   * As above, telling {@code heard} of every block why its first replica is first; {@link
   * AccessReason#NEAREST} where the NameNode's order was kept.
   */
  void order(
      long fileId,
      LocatedBlocks blocks,
      AccessPick pick,
      BiConsumer<LocatedBlock, AccessReason> heard) {
    long blockBytes = blockBytes(blocks.getLocatedBlocks());
    long task = taskIndex.current();
    long silentSince = latestHeartbeat(blocks.getLocatedBlocks()) - staleMillis;
    ReplicaSorter sorter = sorterFor(pick);
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      AccessRequest request = request(fileId, block, blockBytes, task);
      heard.accept(block, order(sorter, block, request, pick, silentSince));
    }
    LocatedBlock last = blocks.getLastLocatedBlock();
    // A block under construction stands apart from the list.
    if (last != null && !blocks.isLastBlockComplete()) {
      AccessRequest request = request(fileId, last, blockBytes, task);
      heard.accept(last, order(sorter, last, request, pick, silentSince));
    }
  }

  /**
   * Puts nearer replicas first, as a NameNode that orders by distance lists them for a reader
   * there: where the reader is not this machine, they were listed for another one.
   */
  void nearestFirst(LocatedBlocks blocks) {
    long silentSince = latestHeartbeat(blocks.getLocatedBlocks()) - staleMillis;
    ReplicaSorter sorter = new ReplicaSorter(tiers, reader::distanceTo);
    blocks.getLocatedBlocks().forEach(block -> nearestFirst(sorter, block, silentSince));
    LocatedBlock last = blocks.getLastLocatedBlock();
    if (last != null && !blocks.isLastBlockComplete()) {
      nearestFirst(sorter, last, silentSince);
    }
  }

  private static void nearestFirst(ReplicaSorter sorter, LocatedBlock block, long silentSince) {
    DatanodeInfoWithStorage[] replicas = block.getLocations();
    if (!block.isStriped() && replicas.length > 1) {
      Arrays.sort(
          replicas,
          0,
          activeReplicas(replicas, silentSince),
          Comparator.comparingInt(replica -> distance(sorter, replica)));
      block.updateCachedStorageInfo();
    }
  }

  private static int distance(ReplicaSorter sorter, DatanodeInfoWithStorage replica) {
    sorter.show(new DatanodeInfoWithStorage[] {replica}, 1);
    return sorter.distance(0);
  }

  /** Of strategies for readers one asks for paths: others take a path for one that is counted. */
  private ReplicaSorter sorterFor(AccessPick pick) {
    return pick.strategy().asksForPaths()
        ? readersSorter()
        : new ReplicaSorter(tiers, reader::distanceTo);
  }

  private ReplicaSorter readersSorter() {
    return ReplicaSorter.ofReader(tiers, reader::distanceTo, Time.monotonicNow());
  }

  /** The replica as the source of a read that begins now. */
  SlowReads.Source source(DatanodeInfoWithStorage replica, SlowReads slowReads) {
    ReplicaSorter sorter = readersSorter();
    sorter.show(new DatanodeInfoWithStorage[] {replica}, 1);
    return slowReads.source(sorter, 0);
  }

  /**
   * Puts the replica that is being read last among those in use, if the read should go on from
   * another one.
   *
   * @param usable whether a replica may take over
   * @param read what came of it until now
   * @param bytesLeft to the end of the block
   * @return whether it did
   */
  boolean leave(
      LocatedBlock block,
      DatanodeInfo current,
      Predicate<DatanodeInfo> usable,
      SlowReads slowReads,
      SlowReads.Progress read,
      long bytesLeft) {
    DatanodeInfoWithStorage[] replicas = block.getLocations();
    int active = activeReplicas(replicas, latestHeartbeat(List.of(block)) - staleMillis);
    DatanodeInfoWithStorage[] others = new DatanodeInfoWithStorage[active];
    int count = 1;
    for (int i = 0; i < active; i++) {
      if (replicas[i].equals(current)) {
        others[0] = replicas[i];
      } else if (usable.test(replicas[i]) && count < active) {
        others[count++] = replicas[i];
      }
    }
    ReplicaSorter sorter = readersSorter();
    if (others.length == 0 || others[0] == null) {
      return false;
    }
    sorter.show(others, count);
    if (!slowReads.leaves(sorter, 0, read, (double) bytesLeft)) {
      return false;
    }
    moveLast(replicas, active, others[0]);
    block.updateCachedStorageInfo();
    return true;
  }

  private static void moveLast(
      DatanodeInfoWithStorage[] replicas, int active, DatanodeInfoWithStorage left) {
    int at = Arrays.asList(replicas).indexOf(left);
    System.arraycopy(replicas, at + 1, replicas, at, active - 1 - at);
    replicas[active - 1] = left;
  }

  private static void unheard(LocatedBlock block, AccessReason reason) {}

  private static AccessRequest request(
      long fileId, LocatedBlock block, long blockBytes, long task) {
    return new AccessRequest(
        fileId, block.getStartOffset() / blockBytes, block.getBlockSize(), task);
  }

  private AccessReason order(
      ReplicaSorter sorter,
      LocatedBlock block,
      AccessRequest request,
      AccessPick pick,
      long silentSince) {
    DatanodeInfoWithStorage[] replicas = block.getLocations();
    int active = block.isStriped() ? 0 : activeReplicas(replicas, silentSince);
    if (active == 0) {
      return AccessReason.NEAREST;
    }
    try {
      AccessReason reason = sorter.sort(pick, request, replicas, active, random(block));
      if (active > 1) {
        block.updateCachedStorageInfo();
      }
      reads.ordered(reason);
      if (DECISIONS.isTraceEnabled()) {
        Order made = new Order(pick.strategy().name(), reason.text(), names(replicas, active));
        DECISIONS.trace("{}: {}", block, made.describe());
      }
      return reason;
    } catch (Throwable e) {
      failures.failed(pick.strategy().getClass().getName(), e);
      return AccessReason.NEAREST;
    }
  }

  private static List<String> names(DatanodeInfoWithStorage[] replicas, int count) {
    return Arrays.stream(replicas, 0, count)
        .map(replica -> replica.getStorageType() + "@" + replica.getXferAddr())
        .toList();
  }

  /**
   * The latest heartbeat of any of the nodes, by the NameNode's clock: a reader does not know what
   * time it is there.
   */
  private static long latestHeartbeat(List<LocatedBlock> blocks) {
    long latest = 0;
    for (LocatedBlock block : blocks) {
      for (DatanodeInfoWithStorage replica : block.getLocations()) {
        latest = Math.max(latest, replica.getLastUpdateMonotonic());
      }
    }
    return latest;
  }

  /**
   * Replicas before the first one that the NameNode put last. It puts silent nodes last when {@code
   * dfs.namenode.avoid.read.stale.datanode} is set there; so those are left out at the end alone.
   */
  private static int activeReplicas(DatanodeInfoWithStorage[] replicas, long silentSince) {
    int active = 0;
    while (active < replicas.length
        && replicas[active].isInService()
        && replicas[active].getStorageType() != StorageType.PROVIDED) {
      active++;
    }
    while (active > 1 && replicas[active - 1].getLastUpdateMonotonic() < silentSince) {
      active--;
    }
    return active;
  }

  /** The file's block size: that of any block but the last. */
  private static long blockBytes(List<LocatedBlock> blocks) {
    long bytes = 1;
    for (LocatedBlock block : blocks) {
      bytes = Math.max(bytes, block.getBlockSize());
      if (blocks.size() > 1) {
        break;
      }
    }
    return bytes;
  }

  private RandomGenerator random(LocatedBlock block) {
    return seed == null
        ? ThreadLocalRandom.current()
        : new SplittableRandom(seed ^ block.getBlock().getBlockId());
  }

  /** A stable number for a path: the NameNode does not tell a reader the inode id. */
  public static long fileId(String path) {
    return TextNumber.of(path);
  }

  ReplicaTiers tiers() {
    return tiers;
  }

  int distanceTo(ReplicaTiers.Storage storage) {
    return reader.distanceTo(storage);
  }

  /** Whether distances to other hosts are known by now. */
  boolean knowsRack() {
    return reader.knowsRack();
  }

  /** Blocks that kept the NameNode's order because a strategy failed. */
  public long failureCount() {
    return failures.failureCount();
  }
}
