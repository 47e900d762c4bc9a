package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.ReplicaTiers;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/** Knows the open streams of one client and counts what they read. Safe for many threads. */
final class ReadTracker {
  /** What the calling thread located last: the stream that asked for it reads by this pick. */
  private static final ThreadLocal<Located> LOCATED = new ThreadLocal<>();

  private record Located(long fileId, AccessPick pick) {}

  private final Map<DFSInputStream, StreamReads> streams =
      Collections.synchronizedMap(new WeakHashMap<>());
  private final TierReads counts;
  private final ReplicaTiers tiers;
  private final ToIntFunction<ReplicaTiers.Storage> distances;

  ReadTracker(TierReads counts, ReplicaTiers tiers, ToIntFunction<ReplicaTiers.Storage> distances) {
    this.counts = counts;
    this.tiers = tiers;
    this.distances = distances;
  }

  void located(long fileId, AccessPick pick) {
    LOCATED.set(new Located(fileId, pick));
  }

  /** The pick for blocks of that file that this thread located since the last call, or null. */
  AccessPick takeLocated(long fileId) {
    Located located = LOCATED.get();
    if (located == null) {
      return null;
    }
    LOCATED.remove();
    return located.fileId == fileId ? located.pick : null;
  }

  /** Follows a stream that was just opened; {@code session} is null under stock order. */
  void opened(DFSInputStream stream, AccessSession session, long fileId) {
    AccessPick pick = takeLocated(fileId);
    if (pick == null && session != null) {
      pick = session.pick(fileId);
    }
    streams.put(stream, new StreamReads(this, session, fileId, pick));
  }

  /** The stream's memory, or null when it is not followed. */
  StreamReads of(DFSInputStream stream) {
    return streams.get(stream);
  }

  void visited(DatanodeInfoWithStorage replica, long bytes) {
    ReplicaTiers.Storage storage = tiers.of(replica);
    counts.read(storage.tier(), distances.applyAsInt(storage), bytes);
  }

  void refused(StreamReads stream) {
    stream.refused();
    counts.refused();
  }

  void failed() {
    counts.failed();
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
