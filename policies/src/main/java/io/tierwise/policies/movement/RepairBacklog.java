package io.tierwise.policies.movement;

import io.tierwise.policies.movement.RepairMemory.Verdict;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of a monitor of stored blocks: the queue, and the counts of its walks. Safe for many
 * threads: one walks, others read metrics and answer movers. Memory is the queue's.
 */
public final class RepairBacklog {
  /** Own: small enough that the order of urgency holds, and 20 moves of a node at ten nodes. */
  public static final int BATCH_BLOCKS = 256;

  /**
   * The time after which a block is given out again when nobody told its outcome, and after which a
   * silent mover counts as absent. Own: a batch is over in two minutes, but for what it has begun;
   * the most urgent blocks wait no longer for a mover that died.
   */
  public static final int LEASE_SECONDS = 300;

  /** The longest time for which a block is left alone: a day. */
  public static final double BACK_OFF_SECONDS_MAX = 86_400;

  /** The outcome for a block that was given out. */
  public enum Outcome {
    /** All its replicas are where its layout wants them. */
    DONE,
    /** Some are not; it is tried again later. */
    FAILED,
    /** Nothing is left to do: it is gone, or was as wanted. */
    VOID,
    /** Nobody came to it: it may be given out at once. */
    UNTRIED
  }

  private final RepairQueue queue;
  private final RepairMemory memory;
  private long pass;
  private long leftOutBefore;
  private Walked last = Walked.NOTHING;
  private Tally current = new Tally();

  /** So many blocks. */
  public record Amount(long blocks, long bytes) {
    public static final Amount NONE = new Amount(0, 0);

    Amount plus(Amount other) {
      return new Amount(blocks + other.blocks, bytes + other.bytes);
    }
  }

  /**
   * The counts of a walk.
   *
   * @param misplaced by urgency
   * @param leftToEngine blocks that the engine copies or drops replicas of
   * @param notAllQueued whether the queue was too small
   */
  public record Walked(
      long files,
      long blocks,
      Map<Urgency, Amount> misplaced,
      long leftToEngine,
      boolean notAllQueued,
      double seconds) {
    static final Walked NOTHING = new Walked(0, 0, Collections.emptyMap(), 0, false, 0);
  }

  private static final class Tally {
    final Map<Urgency, Amount> misplaced = new EnumMap<>(Urgency.class);
    long leftToEngine;
  }

  /**
   * @param queueBlocksMax that wait, the most urgent
   * @param undoWindowSeconds after a repair within which a block that is off its layout again was
   *     moved back by somebody
   * @param backOffSeconds for which such a block is left alone the first time
   */
  public RepairBacklog(int queueBlocksMax, double undoWindowSeconds, double backOffSeconds) {
    queue = new RepairQueue(queueBlocksMax);
    memory =
        new RepairMemory(queueBlocksMax, undoWindowSeconds, backOffSeconds, BACK_OFF_SECONDS_MAX);
  }

  public synchronized void beginWalk() {
    pass++;
    leftOutBefore = queue.leftOut();
    current = new Tally();
  }

  public synchronized void endWalk(long files, long blocks, double seconds) {
    boolean leftOut = queue.leftOut() > leftOutBefore;
    queue.forgetBefore(pass);
    Map<Urgency, Amount> misplaced = Collections.unmodifiableMap(current.misplaced);
    last = new Walked(files, blocks, misplaced, current.leftToEngine, leftOut, seconds);
    current = new Tally();
  }

  /**
   * A walk found a block off its layout.
   *
   * @return whether it is left alone, because somebody moved it back after a repair
   */
  public synchronized Verdict misplaced(Misplaced block) {
    return misplaced(block, true);
  }

  /**
   * The same by a walk, or by another look at its file, which the counts of walks know nothing of.
   */
  public synchronized Verdict misplaced(Misplaced block, boolean walked) {
    Verdict verdict = memory.found(block.blockId(), block.wanted(), block.sinceSeconds());
    if (verdict == Verdict.FREE) {
      add(block, walked);
    } else {
      queue.drop(block.blockId());
    }
    return verdict;
  }

  /**
   * A block is off its layout, because the engine wrote it elsewhere just now: nobody moved it
   * back. One that is left alone for a fight stays so: the next repair would go on with that.
   *
   * @param walked whether a walk came by it, and not a look at a file that decisions told of
   */
  public synchronized void wroteElsewhere(Misplaced block, boolean walked) {
    memory.forgetUnlessFought(block.blockId());
    misplaced(block, walked);
  }

  private void add(Misplaced block, boolean walked) {
    queue.add(block, pass);
    if (walked) {
      current.misplaced.merge(block.urgency(), new Amount(1, block.bytes()), Amount::plus);
    }
  }

  /** The engine has yet to copy a replica of the block, to wherever it may. */
  public synchronized void engineCopies(long blockId) {
    memory.forget(blockId);
  }

  /** When the block was repaired last; NaN when that is not remembered. */
  public synchronized double repairedAtSeconds(long blockId) {
    return memory.repairedAtSeconds(blockId);
  }

  public synchronized int leftAlone(double nowSeconds) {
    return memory.leftAlone(nowSeconds);
  }

  public synchronized List<Misplaced> lend(int count, double nowSeconds, double leaseSeconds) {
    return queue.lend(count, nowSeconds, leaseSeconds);
  }

  /** A mover told what became of a block. */
  public synchronized void told(long blockId, int wanted, Outcome outcome, double nowSeconds) {
    switch (outcome) {
      case DONE -> {
        queue.drop(blockId);
        memory.repaired(blockId, wanted, nowSeconds);
      }
      case VOID -> queue.drop(blockId);
      case FAILED -> queue.failed(blockId, nowSeconds);
      case UNTRIED -> queue.giveBack(blockId);
    }
  }

  public synchronized void leftToEngine(long blockId, boolean walked) {
    asWanted(blockId);
    current.leftToEngine += walked ? 1 : 0;
  }

  public synchronized void asWanted(long blockId) {
    if (!queue.isEmpty()) {
      queue.drop(blockId);
    }
  }

  /** Another host works now. */
  public synchronized void forget() {
    queue.clear();
    memory.clear();
    leftOutBefore = 0;
    last = Walked.NOTHING;
    current = new Tally();
  }

  public synchronized Walked lastWalk() {
    return last;
  }

  public synchronized int queueSize() {
    return queue.size();
  }

  public synchronized List<Misplaced> first(int count, double nowSeconds) {
    return queue.first(count, nowSeconds);
  }

  public synchronized double oldestAgeSeconds(double nowSeconds) {
    return nowSeconds - queue.oldestSinceSeconds(nowSeconds);
  }

  /**
   * The blocks that wait: the queue, or the last walk's count when that was more than the queue
   * holds.
   */
  public synchronized Map<Urgency, Amount> backlog() {
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
