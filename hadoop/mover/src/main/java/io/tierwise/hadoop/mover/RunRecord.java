package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import java.util.function.Consumer;

/**
 * The record of a run: the lines of its journal, the counts for its report, and its progress. Safe
 * for many threads.
 */
final class RunRecord {
  private final MoveLog log;
  private final Tally tally;
  private final Listener.Step progress;
  private final Consumer<OperatorException> unwritten;

  /**
   * @param unwritten is told when a line cannot be written
   */
  RunRecord(
      MoveLog log, Tally tally, Listener.Step progress, Consumer<OperatorException> unwritten) {
    this.log = log;
    this.tally = tally;
    this.progress = progress;
    this.unwritten = unwritten;
  }

  /** The journal's part of it, for what begins moves. */
  MoveLog log() {
    return log;
  }

  /** A move is in place. */
  void moved(PlannedMove move) {
    ended(move, null);
    tally.moved(move);
    progress.add(move.bytes());
  }

  /** A move ended; {@code why} it was not made, or null. */
  void ended(PlannedMove move, String why) {
    try {
      log.end(move, why);
    } catch (OperatorException e) {
      unwritten.accept(e);
    }
  }

  /** A move failed. */
  void failed(PlannedMove move, MoveFailure failure) {
    if (failure.kind() == MoveFailure.Kind.SILENT) {
      log.lost(move);
    } else {
      ended(move, failure.detail());
    }
  }

  /** Counts a replica that stays; of a file that is gone nothing does. */
  void left(BlockWork work, String reason, boolean fault, long bytes) {
    work.stays();
    if (!reason.equals(StayReason.DELETED)) {
      tally.left(reason, fault, work.file().path(), 1, bytes);
    }
  }

  /** Counts what of a block had no move. */
  void stays(BlockWork work) {
    tally.stay(work, work.unmoved());
  }

  /** Nothing more is done about a block. */
  void over(BlockWork work, boolean asWanted) {
    log.over(work, asWanted);
  }
}
