package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.RepairMemory;
import io.tierwise.policies.movement.RepairMemory.Verdict;
import io.tierwise.policies.movement.RepairQueue;
import io.tierwise.policies.movement.Urgency;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of the monitor: the queue, and the counts of its walks. Safe for many threads: one
 * walks, others read metrics and answer movers. Memory is the queue's.
 */
final class MonitorBacklog {
  private final RepairQueue queue;
  private final RepairMemory memory;
  private long pass;
  private long leftOutBefore;
  private Walked last = Walked.NOTHING;
  private Tally current = new Tally();

  /** So many blocks. */
  record Amount(long blocks, long bytes) {
    static final Amount NONE = new Amount(0, 0);

    Amount plus(Amount other) {
      return new Amount(blocks + other.blocks, bytes + other.bytes);
    }
  }

  /**
   * The counts of a walk.
   *
   * @param misplaced by urgency
   * @param leftToHdfs blocks that HDFS copies or drops replicas of
   * @param notAllQueued whether the queue was too small
   */
  record Walked(
      long files,
      long blocks,
      Map<Urgency, Amount> misplaced,
      long leftToHdfs,
      boolean notAllQueued,
      double seconds) {
    static final Walked NOTHING = new Walked(0, 0, Map.of(), 0, false, 0);
  }

  private static final class Tally {
    final Map<Urgency, Amount> misplaced = new EnumMap<>(Urgency.class);
    long leftToHdfs;
  }

  MonitorBacklog(MonitorSettings settings) {
    queue = new RepairQueue(settings.queueBlocksMax());
    memory =
        new RepairMemory(
            settings.queueBlocksMax(),
            settings.undoWindowSeconds(),
            settings.backOffSeconds(),
            MonitorSettings.BACK_OFF_SECONDS_MAX);
  }

  synchronized void beginWalk() {
    pass++;
    leftOutBefore = queue.leftOut();
    current = new Tally();
  }

  synchronized void endWalk(long files, long blocks, double seconds) {
    boolean leftOut = queue.leftOut() > leftOutBefore;
    queue.forgetBefore(pass);
    last =
        new Walked(
            files, blocks, Map.copyOf(current.misplaced), current.leftToHdfs, leftOut, seconds);
  }

  /**
   * A block is off its layout.
   *
   * @param walked whether the walk came by it, and not a look at a file that decisions told of
   * @return whether it is left alone, because somebody moved it back after a repair
   */
  synchronized Verdict misplaced(Misplaced block, boolean walked) {
    // A block that HDFS wrote elsewhere just now was not moved back by anybody.
    Verdict verdict =
        walked ? memory.found(block.blockId(), block.wanted(), block.sinceSeconds()) : Verdict.FREE;
    if (verdict != Verdict.FREE) {
      queue.drop(block.blockId());
      return verdict;
    }
    queue.add(block, pass);
    if (walked) {
      current.misplaced.merge(block.urgency(), new Amount(1, block.bytes()), Amount::plus);
    }
    return verdict;
  }

  /** When the block was repaired last; NaN when that is not remembered. */
  synchronized double repairedAtSeconds(long blockId) {
    return memory.repairedAtSeconds(blockId);
  }

  synchronized int leftAlone(double nowSeconds) {
    return memory.leftAlone(nowSeconds);
  }

  synchronized List<Misplaced> lend(int count, double nowSeconds, double leaseSeconds) {
    return queue.lend(count, nowSeconds, leaseSeconds);
  }

  /** A mover told what became of a block. */
  synchronized void told(RepairCalls.Result result, double nowSeconds) {
    switch (result.outcome()) {
      case DONE -> {
        queue.drop(result.blockId());
        memory.repaired(result.blockId(), result.wanted(), nowSeconds);
      }
      case VOID -> queue.drop(result.blockId());
      case FAILED -> queue.failed(result.blockId(), nowSeconds);
    }
  }

  synchronized void leftToHdfs(long blockId, boolean walked) {
    asWanted(blockId);
    current.leftToHdfs += walked ? 1 : 0;
  }

  synchronized void asWanted(long blockId) {
    if (!queue.isEmpty()) {
      queue.drop(blockId);
    }
  }

  /** Another NameNode works now. */
  synchronized void forget() {
    queue.clear();
    memory.clear();
    leftOutBefore = 0;
    last = Walked.NOTHING;
    current = new Tally();
  }

  synchronized Walked lastWalk() {
    return last;
  }

  synchronized int queueSize() {
    return queue.size();
  }

  synchronized List<Misplaced> first(int count, double nowSeconds) {
    return queue.first(count, nowSeconds);
  }

  synchronized double oldestAgeSeconds(double nowSeconds) {
    return nowSeconds - queue.oldestSinceSeconds(nowSeconds);
  }

  /**
   * The blocks that wait: the queue, or the last walk's count when that was more than the queue
   * holds.
   */
  synchronized Map<Urgency, Amount> backlog() {
    Map<Urgency, Amount> amounts = new EnumMap<>(Urgency.class);
    for (Urgency urgency : Urgency.values()) {
      amounts.put(urgency, Amount.NONE);
    }
    if (last.notAllQueued()) {
      amounts.putAll(last.misplaced());
    } else {
      queue.forEach(
          block -> amounts.merge(block.urgency(), new Amount(1, block.bytes()), Amount::plus));
    }
    return amounts;
  }
}
