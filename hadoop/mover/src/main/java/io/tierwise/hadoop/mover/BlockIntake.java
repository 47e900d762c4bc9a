package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.Hindrance;
import io.tierwise.policies.movement.MovementPlan;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Has blocks planned, hands on those that have something to move, and counts the others. */
final class BlockIntake implements Unsettled.Taker {
  /** Finds the blocks that a run is about. */
  @FunctionalInterface
  interface Source {
    void offer(DistributedFileSystem fs, BlockIntake intake) throws IOException;

    /** Whether a run waits for blocks that HDFS is at; else they are left to HDFS at once. */
    default boolean waitsForHdfs() {
      return false;
    }
  }

  /** Takes a block with its first plan, and what of it stays; may wait. */
  @FunctionalInterface
  interface Taker {
    void take(BlockWork work, Planner.Planned planned) throws IOException;
  }

  private final Planner planner;
  private final Tally tally;
  private final Taker taker;

  /** Takes blocks that HDFS is at; null when nobody waits for HDFS. */
  private final Unsettled unsettled;

  BlockIntake(Planner planner, Tally tally, Taker taker) {
    this(planner, tally, taker, null);
  }

  BlockIntake(Planner planner, Tally tally, Taker taker, Unsettled unsettled) {
    this.planner = planner;
    this.tally = tally;
    this.taker = taker;
    this.unsettled = unsettled;
  }

  Tally tally() {
    return tally;
  }

  /** The answer to a block. */
  enum Taken {
    /** It has moves, or waits for a node: it was handed on. */
    MOVES,
    /** It is as it should be. */
    AS_WANTED,
    /** HDFS, or its writer, is still at it. */
    HINDERED,
    /** It should move, and cannot. */
    UNMOVED
  }

  /**
   * The fate of a block.
   *
   * @param reason the first of why it cannot move; null unless it is {@code UNMOVED}
   */
  record Fate(Taken taken, MovementPlan.Reason reason) {}

  Fate block(FileToMove file, int index, LocatedBlock block) throws IOException {
    BlockWork work = new BlockWork(file, index, block);
    Optional<Hindrance> hindrance = Intake.hindrance(file, block);
    if (hindrance.isPresent()) {
      if (unsettled == null || !unsettled.add(work, block, hindrance.get())) {
        hindered(file, block, hindrance.get());
      }
      return new Fate(Taken.HINDERED, null);
    }
    Planner.Planned planned = planner.plan(work, block);
    tally.block(planned.asWanted());
    if (planned.asWanted()) {
      return new Fate(Taken.AS_WANTED, null);
    }
    if (!planned.moves().isEmpty() || planned.mayComeBack()) {
      taker.take(work, planned);
      return new Fate(Taken.MOVES, null);
    }
    tally.stay(work, planned.unmoved());
    return new Fate(Taken.UNMOVED, planned.unmoved().get(0));
  }

  @Override
  public void settled(FileToMove file, int index, LocatedBlock block) throws IOException {
    block(file, index, block);
  }

  /** Counts a block that stays as it is. */
  @Override
  public void hindered(FileToMove file, LocatedBlock block, Hindrance why) {
    tally.block(false);
    tally.left(why.text(), false, file.path(), 1, block.getBlockSize());
  }
}
