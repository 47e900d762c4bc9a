package io.tierwise.hadoop.hdfs.datanode;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockIdManager;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits or refuses the reads of clients at one DataNode.
 *
 * <p>A read is refused when the volume has T_r readers or the node T_c, unless this client was
 * refused this block here a moment ago: then the other replicas failed it too, and it is served
 * beyond the limit, and so are all its threads for as long as the refusal is remembered. So a read
 * is refused at most once by each replica. See {@code
 * docs/decisions/0030-refusals-that-never-starve.md}.
 *
 * <p>A part of an erasure-coded file is on one node alone, so its reads are counted and never
 * refused: a client that lacks more parts than the code has to spare gives up the read.
 */
public final class ReadAdmission {
  /** One line for each read of a client, at TRACE. */
  private static final Logger DECISIONS = LoggerFactory.getLogger("tierwise.decisions.admission");

  /** Admitted without being counted. */
  static final Closeable UNCOUNTED = () -> {};

  /**
   * Whether this thread has served a read over its connection before. When a read fails on a used
   * connection, a client blames the connection. It asks again over a new one without trying another
   * replica, so it has not come back after a refusal.
   */
  private static final ThreadLocal<Boolean> USED_CONNECTION = new ThreadLocal<>();

  private final ReaderLimits limits;
  private final Supplier<DatanodeID> datanode;
  private final ReaderCount node;
  private final Map<String, ReaderCount> volumes = new ConcurrentHashMap<>();
  private final RefusalMemory memory;
  private final LongAdder servedAfterRefusal = new LongAdder();
  private final LongAdder servedForLackOfMemory = new LongAdder();
  private final LongAdder servedForLackOfReplicas = new LongAdder();
  private final OnceLog failures =
      new OnceLog("counting readers failed, the read is served uncounted");
  private final OnceLog unknown = new OnceLog(LoggerFactory.getLogger(ReadAdmission.class));

  private ReadAdmission(ReaderLimits limits, Supplier<DatanodeID> datanode, RefusalMemory memory) {
    this.limits = limits;
    this.datanode = datanode;
    this.memory = memory;
    this.node = new ReaderCount("node", "all", limits.perNode());
  }

  /**
   * The admission that the configuration asks for, or null when it limits nothing.
   *
   * @param datanode the node as its NameNode knows it; null until it has registered
   * @throws IllegalArgumentException when the configuration cannot be understood
   */
  public static ReadAdmission of(Configuration conf, Supplier<DatanodeID> datanode) {
    ReaderLimits limits = ReaderLimits.of(conf);
    if (limits == null) {
      return null;
    }
    int seconds = conf.getInt(DataNodeKeys.MEMORY_SECONDS, DataNodeKeys.MEMORY_SECONDS_DEFAULT);
    int entries = conf.getInt(DataNodeKeys.MEMORY_ENTRIES, DataNodeKeys.MEMORY_ENTRIES_DEFAULT);
    return new ReadAdmission(
        limits, datanode, new RefusalMemory(entries, TimeUnit.SECONDS.toNanos(seconds)));
  }

  /**
   * Asks for the read of a replica that the calling thread is about to open.
   *
   * @return to be closed when the read is over; {@link #UNCOUNTED} when it is no client's
   * @throws ReadRefusedException when the client shall ask another node
   */
  public Closeable enter(ExtendedBlock block, FsVolumeSpi volume) throws ReadRefusedException {
    ClientRead read;
    ReaderCount count;
    try {
      read = ClientRead.servedBy(Thread.currentThread().getName(), block.toString());
      if (read == null || volume == null) {
        return UNCOUNTED;
      }
      count = countOf(volume);
      if (count == null) {
        return UNCOUNTED;
      }
    } catch (RuntimeException e) {
      failures.failed("volume " + volume, e);
      return UNCOUNTED;
    }
    if (!tryEnter(count)) {
      refuseOrEnter(read, block, count);
    }
    DECISIONS.trace("{} is read from {}", block, volume);
    USED_CONNECTION.set(true);
    AtomicBoolean left = new AtomicBoolean();
    return () -> {
      if (left.compareAndSet(false, true)) {
        count.leave();
        node.leave();
      }
    };
  }

  private boolean tryEnter(ReaderCount volume) {
    if (!volume.tryEnter()) {
      return false;
    }
    if (node.tryEnter()) {
      return true;
    }
    volume.leave();
    return false;
  }

  private void refuseOrEnter(ClientRead read, ExtendedBlock block, ReaderCount volume)
      throws ReadRefusedException {
    String blockName = block.getBlockPoolId() + ":" + block.getBlockId();
    long now = System.nanoTime();
    if (BlockIdManager.isStripedBlockID(block.getBlockId())) {
      servedForLackOfReplicas.increment();
    } else if (memory.remembers(read.client(), blockName, now)) {
      servedAfterRefusal.increment();
    } else if (USED_CONNECTION.get() != null || memory.put(read.client(), blockName, now)) {
      ReaderCount full = volume.readers() >= volume.limit() ? volume : node;
      full.refused();
      DECISIONS.trace("a read of {} is refused by {}", block, full.name());
      throw new ReadRefusedException(
          full.name()
              + " (tier "
              + full.tier()
              + ") serves "
              + full.readers()
              + " readers, its limit is "
              + full.limit()
              + ": read another replica");
    } else {
      servedForLackOfMemory.increment();
    }
    volume.enter();
    node.enter();
  }

  /** Null while nobody knows the node: clients learn of it when it has registered. */
  private ReaderCount countOf(FsVolumeSpi volume) {
    // computeIfAbsent alone locks where the ids of two volumes fall into one bin.
    ReaderCount known = volumes.get(volume.getStorageID());
    if (known != null) {
      return known;
    }
    DatanodeID registered = datanode.get();
    return registered == null
        ? null
        : volumes.computeIfAbsent(volume.getStorageID(), id -> newVolume(volume, registered));
  }

  private ReaderCount newVolume(FsVolumeSpi volume, DatanodeID registered) {
    // Only the NameNode knows racks: a tier that is matched by rack needs a limit by number here.
    TierMatch.Volume known =
        new TierMatch.Volume(
            volume.getStorageType(),
            null,
            registered.getHostName(),
            registered.getIpAddr(),
            volume.getStorageID());
    limits
        .undecided(known)
        .ifPresent(
            tier ->
                unknown.warn(
                    tier,
                    "Volume "
                        + volume.getStorageID()
                        + " has no limit of a tier: "
                        + tier
                        + " is matched by rack, which a DataNode does not know; limits for all"
                        + " volumes hold"));
    int tier = limits.tierOf(known);
    return new ReaderCount(
        "volume " + volume.getStorageID(), limits.tierName(tier), limits.perVolume(tier));
  }

  ReaderCount node() {
    return node;
  }

  /** Tiers by which volumes are limited. */
  TierConfiguration tiers() {
    return limits.tiers();
  }

  /** Volumes that were read from so far. */
  Map<String, ReaderCount> volumesByStorageId() {
    return new TreeMap<>(volumes);
  }

  /** Reads served beyond a limit since their client came back. */
  public long servedAfterRefusalCount() {
    return servedAfterRefusal.sum();
  }

  /** Reads served beyond a limit since no refusal could be remembered. */
  public long servedForLackOfMemoryCount() {
    return servedForLackOfMemory.sum();
  }

  /** Reads served beyond a limit since their block, a part of a coded group, is nowhere else. */
  public long servedForLackOfReplicasCount() {
    return servedForLackOfReplicas.sum();
  }

  /** Reads refused, by volume limits and by the node's. */
  public long refusalCount() {
    return node.refusalCount()
        + volumes.values().stream().mapToLong(ReaderCount::refusalCount).sum();
  }

  /** Clients that are reading from this node. */
  public int readerCount() {
    return node.readers();
  }

  /** The most clients that read one volume at a time. */
  public int peakReadersOfAVolume() {
    return volumes.values().stream().mapToInt(ReaderCount::peakReaders).max().orElse(0);
  }

  long failureCount() {
    return failures.failureCount();
  }

  /** Closes quietly what {@link #enter} returned. */
  static void leave(Closeable admitted) {
    try {
      admitted.close();
    } catch (IOException e) {
      throw new IllegalStateException("counting down cannot fail", e);
    }
  }
}
