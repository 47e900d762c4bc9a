package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes planned moves, one run of the mover at a time, which takes the cluster's one lock. A
 * daemon's own runs take turns, instead of refusing each other.
 */
final class TierMoveRuns {
  private static final long LOOK_MILLIS = 200;

  private final MoverCluster cluster;
  private final MoverSettings settings;
  private final DaemonMover mover;
  private final Begin journal;
  private final BooleanSupplier mayMove;
  private volatile JobRun moving;

  /** Begins a run of the journal. */
  @FunctionalInterface
  interface Begin {
    JournalRun begin(List<String> paths, String to) throws IOException;
  }

  /**
   * @param mover of all that move for this daemon
   * @param mayMove false from the moment on at which {@link #stop} is called
   */
  TierMoveRuns(
      MoverCluster cluster,
      MoverSettings settings,
      DaemonMover mover,
      Begin journal,
      BooleanSupplier mayMove) {
    this.cluster = cluster;
    this.settings = settings;
    this.mover = mover;
    this.journal = journal;
    this.mayMove = mayMove;
  }

  /**
   * Makes one.
   *
   * @param gate is asked for the lease, right before
   * @return empty when it was stopped before it began
   * @throws OperatorException when somebody else has the mover's lock
   */
  Optional<MoverReport> run(RoundPlan.TierMove move, Autotier.Gate gate) throws IOException {
    if (!takeTurn()) {
      return Optional.empty();
    }
    try {
      gate.requireLease();
      JobRun run =
          new JobRun(
                  cluster,
                  settings,
                  TierMoves.job(cluster, move.layout(), move.fileIds(), move.storagePolicies()))
              .remembering(mover.memory());
      moving = run;
      if (!mayMove.getAsBoolean()) {
        run.stop();
      }
      return Optional.of(
          run.run(
                  move.moves(),
                  () -> journal.begin(move.paths(), move.layout() + " by " + move.by()),
                  Listener.SILENT)
              .report());
    } finally {
      moving = null;
      mover.turn().unlock();
    }
  }

  private boolean takeTurn() throws IOException {
    try {
      while (mayMove.getAsBoolean()) {
        if (mover.turn().tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          return true;
        }
      }
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    }
  }

  /** Ends the one that runs, within seconds; from any thread. */
  void stop() {
    JobRun run = moving;
    if (run != null) {
      run.stop();
    }
  }
}
