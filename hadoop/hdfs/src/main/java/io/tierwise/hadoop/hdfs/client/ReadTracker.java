package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.topology.ReplicaTiers;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.SlowReads;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/** Knows the open streams of one client and counts what they read. Safe for many threads. */
final class ReadTracker {
  /** The blocks that the calling thread located last: its stream reads them by this pick. */
  private static final ThreadLocal<Located> LOCATED = new ThreadLocal<>();

  /**
   * Blocks of a file that a thread located.
   *
   * @param blocks in the order that the pick gave them
   * @param nanos that the thread waited for the NameNode
   */
  record Located(long fileId, AccessPick pick, LocatedBlocks blocks, long nanos) {}

  private final Map<DFSInputStream, StreamReads> streams =
      Collections.synchronizedMap(new WeakHashMap<>());
  private final TierReads counts;
  private final LocatedBlockOrder order;
  private final OnceLog failures;

  /**
   * @param failures told of what goes wrong while reads are followed; no read fails for it
   */
  ReadTracker(TierReads counts, LocatedBlockOrder order, OnceLog failures) {
    this.counts = counts;
    this.order = order;
    this.failures = failures;
  }

  void located(long fileId, AccessPick pick, LocatedBlocks blocks, long nanos) {
    LOCATED.set(new Located(fileId, pick, blocks, nanos));
  }

  /** Forgets the blocks that this thread located last: no stream asked for them. */
  void forgetLocated() {
    LOCATED.remove();
  }

  /** The blocks of that file that this thread located since the last call, or null. */
  Located takeLocated(long fileId) {
    Located located = LOCATED.get();
    if (located == null) {
      return null;
    }
    LOCATED.remove();
    return located.fileId == fileId ? located : null;
  }

  /**
   * Follows a stream that was just opened.
   *
   * @param session null under stock order
   * @param slowReads null under a strategy that does not care how fast replicas are
   */
  void opened(DFSInputStream stream, AccessSession session, long fileId, SlowReads slowReads) {
    Located located = takeLocated(fileId);
    AccessPick pick = located == null && session != null ? session.pick(fileId) : null;
    VisitWatch watch = slowReads == null ? null : new VisitWatch(slowReads, order);
    StreamReads reads = new StreamReads(this, session, fileId, pick, watch);
    if (located != null) {
      reads.located(located);
    }
    streams.put(stream, reads);
  }

  /** The stream's memory, or null when it is not followed. */
  StreamReads of(DFSInputStream stream) {
    return streams.get(stream);
  }

  void visited(DatanodeInfoWithStorage replica, long bytes) {
    ReplicaTiers.Storage storage = order.tiers().of(replica);
    counts.read(storage.tier(), order.distanceTo(storage), bytes);
  }

  void refused(StreamReads stream) {
    stream.refused();
    counts.refused();
  }

  void failed() {
    counts.failed();
  }

  /** Something of ours failed, and the read went on. */
  void failed(String what, Throwable cause) {
    failures.failed(what, cause);
  }

  void closed(DFSInputStream stream) {
    StreamReads reads = streams.remove(stream);
    if (reads == null) {
      return;
    }
    long bytes = stream.getReadStatistics().getTotalBytesRead();
    if (stream instanceof DFSStripedInputStream) {
      counts.readErasureCoded(bytes);
    } else {
      reads.close(bytes);
    }
  }
}
