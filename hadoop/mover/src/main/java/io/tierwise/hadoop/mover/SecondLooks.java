package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.Hindrance;
import io.tierwise.policies.movement.MovementLimits;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again at blocks of which something failed, and plans what is left of them from where their
 * replicas are by then. One thread looks.
 */
final class SecondLooks {
  private static final Logger LOG = LoggerFactory.getLogger(SecondLooks.class);

  /** Own: as many blocks as a run has under way ask no more than some 50 questions a second. */
  private static final long WAIT_MILLIS = TimeUnit.SECONDS.toMillis(10);

  private final Arrivals.Question nameNode;
  private final Planner planner;
  private final int attemptsMax;
  private final RunThreads threads;
  private final Owner owner;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> RunThreads.daemon(task, "mover-again"));

  /** Goes on with a block. */
  interface Owner {
    /** It has another plan. */
    void start(BlockWork work, Planner.Planned planned);

    /** Nothing more is done about it: so many of its replicas stay. */
    void giveUp(BlockWork work, String reason, boolean fault, int replicas);

    /** It is as it should be. */
    void over(BlockWork work);
  }

  /**
   * @param attemptsMax for a block, the first included
   * @param threads of the run, which ends when a look does by what nobody foresaw
   */
  SecondLooks(
      Arrivals.Question nameNode,
      Planner planner,
      int attemptsMax,
      RunThreads threads,
      Owner owner) {
    this.nameNode = nameNode;
    this.planner = planner;
    this.attemptsMax = attemptsMax;
    this.threads = threads;
    this.owner = owner;
  }

  /** Looks later; false when nobody looks any more. */
  boolean later(BlockWork work) {
    try {
      ScheduledFuture<?> unused =
          thread.schedule(
              threads.guarded(() -> look(work)), delayMillis(work), TimeUnit.MILLISECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** How long a block waits for its next look. */
  static long delayMillis(BlockWork work) {
    return work.onlyWaits() ? WAIT_MILLIS : MovementLimits.retryMillis(work.looks());
  }

  /** Does something else after so long, unless the run is over by then. */
  void after(double seconds, Runnable task) {
    ScheduledFuture<?> unused =
        thread.schedule(threads.guarded(task), (long) (seconds * 1e3), TimeUnit.MILLISECONDS);
  }

  void stop() {
    thread.shutdownNow();
  }

  private void look(BlockWork old) {
    try {
      HdfsLocatedFileStatus now = nameNode.locate(old.file());
      Optional<LocatedBlock> block = InPlace.blockOf(old, now);
      if (block.isEmpty()) {
        owner.giveUp(old, StayReason.DELETED, false, 1);
        return;
      }
      BlockWork work = old.again(now, block.get());
      Optional<Hindrance> hindrance = Intake.hindrance(work.file(), block.get());
      if (hindrance.isPresent()) {
        owner.giveUp(work, hindrance.get().text(), false, 1);
      } else {
        plan(old, work, block.get());
      }
    } catch (FileNotFoundException e) {
      owner.giveUp(old, StayReason.DELETED, false, 1);
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot look again at {}", old.file().path(), e);
      owner.giveUp(old, NotAsked.of(e).text(), true, 1);
    }
  }

  private void plan(BlockWork old, BlockWork work, LocatedBlock block) throws IOException {
    Planner.Planned planned = planner.plan(work, block);
    boolean goesOn = !planned.moves().isEmpty() || planned.mayComeBack();
    if (planned.asWanted()) {
      owner.over(work);
    } else if (goesOn && work.attempts() <= attemptsMax) {
      owner.start(work, planned);
    } else {
      planned.moves().forEach(planner::withdraw);
      int replicas = planned.moves().size() + planned.unmoved().size();
      owner.giveUp(work, old.failure(), true, replicas);
    }
  }
}
