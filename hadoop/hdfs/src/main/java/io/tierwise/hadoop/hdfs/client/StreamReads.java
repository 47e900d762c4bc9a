package io.tierwise.hadoop.hdfs.client;

import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AfterRefusal;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
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
 *
 * <p>A read that finds its replica slow, or dead, chooses another one in the middle: what it waited
 * until then is the first one's.
 */
final class StreamReads {
  /** Since when the calling thread waits in a read of the stream, or of what was chosen in it. */
  private static final ThreadLocal<Wait> WAIT = ThreadLocal.withInitial(Wait::new);

  private static final class Wait {
    private StreamReads reads;
    private long sinceNanos;
  }

  private final ReadTracker tracker;
  private final LongSupplier clockNanos;
  private final AccessSession session;
  private final long fileId;
  private final Set<DatanodeInfo> unreachable = new HashSet<>();
  private AccessPick pick;
  private DatanodeInfo current;
  private long countedBytes;

  /** Waited since bytes came last: a refusal delays the read that it precedes. */
  private long visitNanos;

  /** Waited since the replica in use was chosen. */
  private long replicaNanos;

  private long visitSinceNanos;
  private long replicaSinceNanos;

  private int visitRefusals;
  private BlockwiseDeadNodes deadNodes;

  /** Null under a strategy that does not care how fast replicas are, and after an error. */
  private VisitWatch watch;

  StreamReads(
      ReadTracker tracker, AccessSession session, long fileId, AccessPick pick, VisitWatch watch) {
    this(tracker, session, fileId, pick, watch, System::nanoTime);
  }

  StreamReads(
      ReadTracker tracker,
      AccessSession session,
      long fileId,
      AccessPick pick,
      VisitWatch watch,
      LongSupplier clockNanos) {
    this.watch = watch;
    this.tracker = tracker;
    this.clockNanos = clockNanos;
    this.session = session;
    this.fileId = fileId;
    this.pick = pick;
    visitSinceNanos = clockNanos.getAsLong();
    replicaSinceNanos = visitSinceNanos;
  }

  /** Whether the strategy wants nodes that refused a block asked again for the next one. */
  boolean asksAgain() {
    try {
      return session != null && session.strategy().afterRefusal() == AfterRefusal.ASK_AGAIN;
    } catch (Throwable e) {
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
      ReadTracker.Located located = tracker.takeLocated(fileId);
      addNanos(waited(located == null ? 0 : located.nanos()));
      endVisit(streamBytes);
      current = replica;
      if (located != null) {
        located(located);
      }
      if (watch != null) {
        watch.began(replica);
      }
    } catch (Throwable e) {
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
    } catch (Throwable e) {
      synchronized (this) {
        failed("looking for a faster replica failed", e);
      }
      return false;
    }
  }

  private synchronized boolean leaves(ExtendedBlock block, long streamBytes, long position) {
    return watch != null
        && watch.leaves(block, this::isUsable, streamBytes - countedBytes, replicaNanos, position);
  }

  private synchronized boolean isLookDue() {
    return watch != null && watch.isDue(replicaNanos);
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

  /** The calling thread waits for the stream from now on. */
  void begin() {
    Wait wait = WAIT.get();
    wait.reads = this;
    wait.sinceNanos = clockNanos.getAsLong();
  }

  /** It has what it waited for, or an error. */
  void end() {
    long nanos = waited(0);
    WAIT.get().reads = null;
    synchronized (this) {
      addNanos(nanos);
    }
  }

  /**
   * How long the calling thread has waited since it began, or since this was asked last.
   *
   * @param elsewhereNanos of that it did not wait for the stream's replica
   */
  private long waited(long elsewhereNanos) {
    Wait wait = WAIT.get();
    if (wait.reads != this) {
      return 0;
    }
    long now = clockNanos.getAsLong();
    long nanos = now - wait.sinceNanos - elsewhereNanos;
    wait.sinceNanos = now;
    return Math.max(0, nanos);
  }

  /** Threads that read through the stream at one time wait together. */
  private void addNanos(long nanos) {
    long now = clockNanos.getAsLong();
    visitNanos = Math.min(visitNanos + nanos, now - visitSinceNanos);
    replicaNanos = Math.min(replicaNanos + nanos, now - replicaSinceNanos);
  }

  /** The stream closes. Does not fail. */
  synchronized void close(long streamBytes) {
    try {
      endVisit(streamBytes);
    } catch (Throwable e) {
      failed("following a read failed", e);
    }
  }

  private void endVisit(long streamBytes) {
    // A stream's count can be cleared by its user.
    long bytes = streamBytes >= countedBytes ? streamBytes - countedBytes : streamBytes;
    countedBytes = streamBytes;
    if (watch != null) {
      watch.ended(bytes, replicaNanos);
    }
    replicaNanos = 0;
    replicaSinceNanos = clockNanos.getAsLong();
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
    visitSinceNanos = replicaSinceNanos;
    visitRefusals = 0;
  }
}
