package io.tierwise.hadoop.hdfs.client;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * A stream's dead nodes, as the stream is to see them when it picks a replica: a node that turned
 * down one block is not dead for the next.
 *
 * <p>Hadoop's stream keeps one map for all blocks. Each block that the NameNode lists has node
 * objects of its own, and the stream enters just the object that failed as key and value: so a node
 * failed <i>for this block</i> when the map's value is the very object that is asked for, and for
 * another block when it is an equal one. Nodes that could not be reached stay dead for all blocks.
 */
@SuppressWarnings({"serial", "ReferenceEquality"})
final class BlockwiseDeadNodes extends ConcurrentHashMap<DatanodeInfo, DatanodeInfo> {
  private final transient StreamReads reads;
  private final transient ConcurrentHashMap<DatanodeInfo, DatanodeInfo> streamsOwn;
  private transient volatile WeakReference<ReadStatistics> counter = new WeakReference<>(null);

  BlockwiseDeadNodes(StreamReads reads, ConcurrentHashMap<DatanodeInfo, DatanodeInfo> streamsOwn) {
    super(1);
    this.reads = reads;
    this.streamsOwn = streamsOwn;
  }

  boolean shows(ConcurrentHashMap<DatanodeInfo, DatanodeInfo> map) {
    return streamsOwn == map;
  }

  void countFrom(ReadStatistics statistics) {
    if (counter.get() != statistics) {
      counter = new WeakReference<>(statistics);
    }
  }

  /** Asked by the stream for each replica in turn; the one that is not dead is read next. */
  @Override
  public boolean containsKey(Object key) {
    DatanodeInfo node = (DatanodeInfo) key;
    DatanodeInfo failed = streamsOwn.get(node);
    boolean dead = failed != null;
    if (dead && reads.asksAgain()) {
      dead = failed == node || reads.isUnreachable(node);
    }
    if (failed == null) {
      reads.forgive(node);
    }
    if (!dead) {
      ReadStatistics statistics = counter.get();
      Choice.made(node);
      reads.chose(node, statistics == null ? 0 : statistics.getTotalBytesRead());
    }
    return dead;
  }

  @Override
  public KeySetView<DatanodeInfo, DatanodeInfo> keySet() {
    return streamsOwn.keySet();
  }

  @Override
  public int size() {
    return streamsOwn.size();
  }

  @Override
  public boolean isEmpty() {
    return streamsOwn.isEmpty();
  }

  @Override
  public String toString() {
    return streamsOwn.toString();
  }
}
