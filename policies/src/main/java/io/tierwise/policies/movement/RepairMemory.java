package io.tierwise.policies.movement;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which blocks were repaired lately, to notice when somebody moves them back, and to
 * leave them alone then: longer each time, so that two tools do not move a block to and fro for
 * ever. Bounded: the block that was repaired first is forgotten first. The host keeps it and hands
 * in the time; it is for one thread.
 */
public final class RepairMemory {
  /** The treatment of a block that is misplaced. */
  public enum Verdict {
    /** Repair it. */
    FREE,
    /** It was repaired, and has been moved back: leave it alone from now on. */
    UNDONE,
    /** It is left alone still. */
    LEFT_ALONE
  }

  private final int blocksMax;
  private final double windowSeconds;
  private final double firstSeconds;
  private final double lastSeconds;
  private final Map<Long, Repaired> repaired = new LinkedHashMap<>();

  /**
   * @param wanted tells one wish for the block from another
   * @param undone how often it was moved back
   */
  private record Repaired(
      int wanted, double atSeconds, int undone, boolean noticed, double aloneUntilSeconds) {}

  /**
   * @param blocksMax that it remembers; each takes about 150 bytes
   * @param windowSeconds within which a block that is misplaced again was moved back
   * @param firstSeconds for which a block is left alone the first time; then twice as long
   * @param lastSeconds for which it is left alone at most
   */
  public RepairMemory(
      int blocksMax, double windowSeconds, double firstSeconds, double lastSeconds) {
    this.blocksMax = blocksMax;
    this.windowSeconds = windowSeconds;
    this.firstSeconds = firstSeconds;
    this.lastSeconds = lastSeconds;
  }

  /**
   * A block was brought to its layout.
   *
   * @param wanted the same number for the same wish
   */
  public void repaired(long blockId, int wanted, double nowSeconds) {
    Repaired old = repaired.remove(blockId);
    int undone = old == null || old.wanted() != wanted ? 0 : old.undone();
    if (repaired.size() >= blocksMax) {
      Iterator<Long> first = repaired.keySet().iterator();
      first.next();
      first.remove();
    }
    repaired.put(blockId, new Repaired(wanted, nowSeconds, undone, false, 0));
  }

  /**
   * A block was found misplaced.
   *
   * @param seenSeconds when its replicas were looked at
   */
  public Verdict found(long blockId, int wanted, double seenSeconds) {
    Repaired old = repaired.get(blockId);
    if (old == null || seenSeconds <= old.atSeconds()) {
      return Verdict.FREE;
    }
    if (old.noticed()) {
      return seenSeconds < old.aloneUntilSeconds() && old.wanted() == wanted
          ? Verdict.LEFT_ALONE
          : Verdict.FREE;
    }
    if (old.wanted() != wanted || seenSeconds - old.atSeconds() > windowSeconds) {
      repaired.remove(blockId);
      return Verdict.FREE;
    }
    double alone = Math.min(lastSeconds, firstSeconds * (1L << Math.min(old.undone(), 30)));
    repaired.put(
        blockId,
        new Repaired(wanted, old.atSeconds(), old.undone() + 1, true, seenSeconds + alone));
    return Verdict.UNDONE;
  }

  /** Another than a tool put its replicas elsewhere: that is no fight. */
  public void forget(long blockId) {
    repaired.remove(blockId);
  }

  /** The same, but for a block that is left alone: that fight may go on. */
  void forgetUnlessFought(long blockId) {
    Repaired old = repaired.get(blockId);
    if (old != null && !old.noticed()) {
      repaired.remove(blockId);
    }
  }

  /** When the block was repaired last; NaN when that is not remembered. */
  public double repairedAtSeconds(long blockId) {
    Repaired old = repaired.get(blockId);
    return old == null ? Double.NaN : old.atSeconds();
  }

  /** Blocks that are left alone at this moment. */
  public int leftAlone(double nowSeconds) {
    int count = 0;
    for (Repaired one : repaired.values()) {
      count += one.noticed() && nowSeconds < one.aloneUntilSeconds() ? 1 : 0;
    }
    return count;
  }

  public void clear() {
    repaired.clear();
  }
}
