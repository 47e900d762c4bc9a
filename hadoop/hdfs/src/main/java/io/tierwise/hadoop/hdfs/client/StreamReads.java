package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AfterRefusal;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;

/**
 * The memory of one open stream: which replica it reads, which nodes failed it, and how long reads
 * took. Must not refer to the stream, which is its weak key.
 *
 * <p>A visit is all that is read from one replica between two choices of the stream. Its bytes are
 * the growth of the stream's own count, so nothing stands in the way of a read. Where several
 * threads read by position through one stream, bytes may be counted for the replica that another
 * thread chose a moment before; their sum is exact.
 */
final class StreamReads {
  private final ReadTracker tracker;
  private final AccessSession session;
  private final long fileId;
  private final Set<DatanodeInfo> unreachable = new HashSet<>();
  private AccessPick pick;
  private DatanodeInfo current;
  private long countedBytes;
  private long visitNanos;
  private int visitRefusals;
  private BlockwiseDeadNodes deadNodes;

  /** Null under a strategy that does not care how fast replicas are, and after an error. */
  private VisitWatch watch;

  StreamReads(
      ReadTracker tracker, AccessSession session, long fileId, AccessPick pick, VisitWatch watch) {
    this.watch = watch;
    this.tracker = tracker;
    this.session = session;
    this.fileId = fileId;
    this.pick = pick;
  }

  /** Whether the strategy wants nodes that refused a block asked again for the next one. */
  boolean asksAgain() {
    try {
      return session != null && session.strategy().afterRefusal() == AfterRefusal.ASK_AGAIN;
    } catch (RuntimeException | LinkageError | AssertionError e) {
      tracker.failed("asking what a refusal means failed", e);
      return false;
    }
  }

  /** Whether the strategy wants to know how long reads take. */
  synchronized boolean isTimed() {
    return watch != null || (session != null && session.state().isPresent());
  }

  synchronized ConcurrentHashMap<DatanodeInfo, DatanodeInfo> deadNodes(
      DFSInputStream stream,
      ConcurrentHashMap<DatanodeInfo, DatanodeInfo> known,
      Predicate<DatanodeInfo> detectedDead) {
    if (deadNodes == null || !deadNodes.shows(known)) {
      deadNodes = new BlockwiseDeadNodes(this, known, detectedDead);
    }
    deadNodes.countFrom(stream.getReadStatistics());
    return deadNodes;
  }

  /** The stream is about to ask this replica. Does not fail: the stream would, with it. */
  synchronized void chose(DatanodeInfo replica, long streamBytes) {
    try {
      endVisit(streamBytes);
      current = replica;
      ReadTracker.Located located = tracker.takeLocated(fileId);
      if (located != null) {
        located(located);
      }
      if (watch != null) {
        watch.began(replica);
      }
    } catch (RuntimeException | LinkageError | AssertionError e) {
      failed("following a read failed", e);
    }
  }

  /** The read goes on; nobody watches it any more. */
  private void failed(String what, Throwable cause) {
    watch = null;
    tracker.failed(what, cause);
  }

  synchronized void located(ReadTracker.Located located) {
    pick = located.pick();
    if (watch != null) {
      watch.located(located.blocks());
    }
  }

  /**
   * Whether the stream, which has just read sequentially, should choose a replica anew: asked after
   * each read. Does not fail.
   */
  boolean leaves(DFSInputStream stream) {
    try {
      if (!isLookDue()) {
        return false;
      }
      // Asked before the lock is taken: the stream asks us while it holds its own.
      long position = stream.getPos();
      ExtendedBlock block = stream.getCurrentBlock();
      long streamBytes = stream.getReadStatistics().getTotalBytesRead();
      return leaves(block, streamBytes, position);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      synchronized (this) {
        failed("looking for a faster replica failed", e);
      }
      return false;
    }
  }

  private synchronized boolean leaves(ExtendedBlock block, long streamBytes, long position) {
    return watch != null
        && watch.leaves(block, this::isUsable, streamBytes - countedBytes, visitNanos, position);
  }

  private synchronized boolean isLookDue() {
    return watch != null && watch.isDue(visitNanos);
  }

  private boolean isUsable(DatanodeInfo node) {
    return deadNodes == null || !deadNodes.hasFailed(node);
  }

  synchronized void refused() {
    visitRefusals++;
  }

  synchronized void unreachable(DatanodeInfo node) {
    unreachable.add(node);
  }

  synchronized boolean isUnreachable(DatanodeInfo node) {
    return unreachable.contains(node);
  }

  /** The stream has forgotten that the node failed; so do we. */
  synchronized void forgive(DatanodeInfo node) {
    unreachable.remove(node);
  }

  synchronized void addNanos(long nanos) {
    visitNanos += nanos;
  }

  /** The stream closes. Does not fail. */
  synchronized void close(long streamBytes) {
    try {
      endVisit(streamBytes);
    } catch (RuntimeException | LinkageError | AssertionError e) {
      failed("following a read failed", e);
    }
  }

  private void endVisit(long streamBytes) {
    // A stream's count can be cleared by its user.
    long bytes = streamBytes >= countedBytes ? streamBytes - countedBytes : streamBytes;
    countedBytes = streamBytes;
    if (watch != null) {
      watch.ended(bytes, visitNanos);
    }
    if (bytes <= 0) {
      return;
    }
    if (current instanceof DatanodeInfoWithStorage replica) {
      tracker.visited(replica, bytes);
    }
    if (visitNanos > 0) {
      session.observe(fileId, pick, bytes, visitNanos / 1e9, visitRefusals);
    }
    visitNanos = 0;
    visitRefusals = 0;
  }
}
