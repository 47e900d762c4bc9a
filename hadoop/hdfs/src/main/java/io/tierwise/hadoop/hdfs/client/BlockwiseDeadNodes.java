package io.tierwise.hadoop.hdfs.client;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
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
 *
 * <p>With Hadoop's dead node detector on, the map is made anew for each question and holds what the
 * detector found as well; its entries take the place of the stream's own and say nothing of blocks.
 * A node that the detector found dead is therefore dead for all of them.
 */
@SuppressWarnings({"serial", "ReferenceEquality"})
final class BlockwiseDeadNodes extends ConcurrentHashMap<DatanodeInfo, DatanodeInfo> {
  private final transient StreamReads reads;
  private final transient ConcurrentHashMap<DatanodeInfo, DatanodeInfo> known;
  private final transient Predicate<DatanodeInfo> detectedDead;
  private transient volatile WeakReference<ReadStatistics> counter = new WeakReference<>(null);

  /**
   * @param known the stream's own dead nodes, and the detector's where it is on
   * @param detectedDead whether the detector holds that node
   */
  BlockwiseDeadNodes(
      StreamReads reads,
      ConcurrentHashMap<DatanodeInfo, DatanodeInfo> known,
      Predicate<DatanodeInfo> detectedDead) {
    super(1);
    this.detectedDead = detectedDead;
    this.reads = reads;
    this.known = known;
  }

  boolean shows(ConcurrentHashMap<DatanodeInfo, DatanodeInfo> map) {
    return known == map;
  }

  void countFrom(ReadStatistics statistics) {
    if (counter.get() != statistics) {
      counter = new WeakReference<>(statistics);
    }
  }

  /** Whether the node failed the stream, for whatever block. */
  boolean hasFailed(DatanodeInfo node) {
    return known.containsKey(node);
  }

  /** Asked by the stream for each replica in turn; the one that is not dead is read next. */
  @Override
  public boolean containsKey(Object key) {
    DatanodeInfo node = (DatanodeInfo) key;
    DatanodeInfo failed = known.get(node);
    boolean dead = failed != null;
    if (dead && reads.asksAgain()) {
      dead = failed == node || reads.isUnreachable(node) || detectedDead.test(node);
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
    return known.keySet();
  }

  @Override
  public int size() {
    return known.size();
  }

  @Override
  public boolean isEmpty() {
    return known.isEmpty();
  }

  @Override
  public String toString() {
    return known.toString();
  }
}
