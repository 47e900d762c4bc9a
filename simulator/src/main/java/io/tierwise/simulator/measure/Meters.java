package io.tierwise.simulator.measure;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.bound.ReadProblem;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** Counts what tasks read, write and send. */
public final class Meters {
  private final VirtualCluster cluster;
  private final StartedReads startedReads;
  private final RateMeter readRates = new RateMeter();
  private final RateMeter writeRates = new RateMeter();
  private final long[] readBytesByTier;
  private final long[] sentReadBytesByTier;
  private final long[] writtenBytesByTier;
  private final long[] replicaBytesByRegion;
  private final long[] blocksByRegionCount;
  private final long[] readBytesByDistance = new long[4];
  private final double[] readSecondsByDistance = new double[4];
  private final ReplicaAccesses accesses = new ReplicaAccesses();
  private long cachedBytes;
  private long readBytes;
  private long writtenBytes;
  private long refusals;
  private final SentBytes sent;
  private final List<UnderWay> underWay = new ArrayList<>();
  private long shuffleBytes;
  private long cutShortBytes;
  private long blocksWritten;
  private long singleRackBlocks;

  public Meters(VirtualCluster cluster) {
    this.cluster = cluster;
    this.startedReads = new StartedReads(cluster);
    this.sent = new SentBytes(cluster);
    int tiers = cluster.view().tiers().count();
    this.readBytesByTier = new long[tiers];
    this.sentReadBytesByTier = new long[tiers];
    this.writtenBytesByTier = new long[tiers];
    this.replicaBytesByRegion = new long[cluster.view().regionCount()];
    this.blocksByRegionCount = new long[cluster.view().regionCount()];
  }

  /** A task has read its input. */
  public void taskRead(long bytes, double seconds) {
    readRates.add(bytes, seconds);
    startedReads.ended(seconds);
  }

  /** Told of each task that begins to read. */
  public StartedReads startedReads() {
    return startedReads;
  }

  /** A task has written its output. */
  public void taskWrote(long bytes, double seconds) {
    writeRates.add(bytes, seconds);
    writtenBytes += bytes;
  }

  /** Told of each block that a task begins to read from a replica. */
  public ReplicaAccesses accesses() {
    return accesses;
  }

  /**
   * A piece of HDFS data came from a volume, or from its node's page cache, to a reader, which
   * asked for it so many seconds ago.
   */
  public void read(int volume, int readerNode, long bytes, double seconds, boolean cached) {
    int node = cluster.nodeOfVolume(volume);
    int distance = cluster.distance(node, readerNode) / 2;
    readBytes += bytes;
    readBytesByDistance[distance] += bytes;
    readSecondsByDistance[distance] += seconds;
    int tier = tierOf(volume);
    if (cached) {
      cachedBytes += bytes;
    } else if (tier >= 0) {
      readBytesByTier[tier] += bytes;
    }
    if (tier >= 0 && node != readerNode) {
      sentReadBytesByTier[tier] += bytes;
    }
    sent(node, readerNode, bytes);
  }

  /** Nodes refused a read. */
  public void refused(int times) {
    refusals += times;
  }

  /** A replica was written to a volume. */
  public void wroteReplica(int volume, long bytes) {
    int tier = tierOf(volume);
    if (tier >= 0) {
      writtenBytesByTier[tier] += bytes;
    }
    replicaBytesByRegion[cluster.regionOf(cluster.nodeOfVolume(volume))] += bytes;
  }

  /**
   * A block was written.
   *
   * @param volumes of the replicas that its write waited for, one or more; {@code NONE} is passed
   *     over
   */
  public void wroteBlock(int[] volumes) {
    BitSet racks = new BitSet();
    BitSet regions = new BitSet();
    for (int volume : volumes) {
      if (volume != ClusterView.NONE) {
        int node = cluster.nodeOfVolume(volume);
        racks.set(cluster.rackOf(node));
        regions.set(cluster.regionOf(node));
      }
    }
    blocksWritten++;
    singleRackBlocks += racks.cardinality() == 1 ? 1 : 0;
    if (!regions.isEmpty()) {
      blocksByRegionCount[regions.cardinality() - 1]++;
    }
  }

  /** Map output went to a reducer. */
  public void shuffled(int from, int to, long bytes) {
    shuffleBytes += bytes;
    sent(from, to, bytes);
  }

  /** Bytes went from one node to another; nothing is counted within a node. */
  public void sent(int from, int to, long bytes) {
    sent.add(from, to, bytes);
  }

  /** A copy of a replica was ended in the middle, when it had moved so many bytes. */
  public void cutShort(int from, int to, long bytes) {
    cutShortBytes += bytes;
    sent(from, to, bytes);
  }

  /** Transfers that {@link #sent} is told of when they are over. */
  @FunctionalInterface
  public interface UnderWay {
    /** Adds what they have moved until now. */
    void addTo(SentBytes bytes);
  }

  /** Has transfers counted while they move, too. */
  public void count(UnderWay transfers) {
    underWay.add(transfers);
  }

  private SentBytes sentUntilNow() {
    SentBytes all = sent.copy();
    underWay.forEach(each -> each.addTo(all));
    return all;
  }

  private int tierOf(int volume) {
    return cluster.view().tierOfVolume(cluster.volume(volume).viewVolume());
  }

  /** Bytes that tasks have read of HDFS data. */
  public long readBytes() {
    return readBytes;
  }

  /** Bytes that tasks have written of HDFS data, without replicas. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** Bytes between nodes until now. */
  public long networkBytes() {
    return sentUntilNow().bytes();
  }

  /**
   * The figures of all reads.
   *
   * @param together as a problem whose bound can be computed, where they are one
   * @param replicasOf the volumes of a block's replicas
   */
  public RunResult.Reads reads(Optional<ReadProblem> together, IntFunction<int[]> replicasOf) {
    return new RunResult.Reads(
        readBytes,
        readRates.totalBytesPerSecond(),
        readRates.mean(),
        readRates.deviation(),
        readBytesByTier.clone(),
        sentReadBytesByTier.clone(),
        cachedBytes,
        readBytesByDistance[0],
        readBytesByDistance[1],
        readBytesByDistance[2],
        readBytesByDistance[3],
        readSecondsByDistance.clone(),
        accesses.deviation(replicasOf),
        refusals,
        cachedBytes == 0 ? together : Optional.empty());
  }

  public RunResult.Writes writes(long evictedBytes) {
    return new RunResult.Writes(
        writtenBytes,
        writeRates.totalBytesPerSecond(),
        writeRates.mean(),
        writeRates.deviation(),
        writtenBytesByTier.clone(),
        blocksWritten == 0 ? 0 : (double) singleRackBlocks / (double) blocksWritten,
        replicaBytesByRegion.clone(),
        blocksByRegionCount.clone(),
        evictedBytes,
        cutShortBytes);
  }

  public RunResult.Network network() {
    SentBytes all = sentUntilNow();
    return new RunResult.Network(
        all.bytes(), all.crossRackBytes(), all.crossRegionBytes(), shuffleBytes);
  }
}
