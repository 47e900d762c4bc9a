package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One run: the caller's thread goes through the files, others make moves, one looks whether they
 * are in place, and one looks again at blocks of which a move failed.
 */
final class MoverRun implements SecondLooks.Owner {
  private static final int THREADS_MAX = 64;
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MoverSettings settings;
  private final MoverConnection connection;
  private final Foreground foreground;
  private final Planner planner;
  private final Tally tally;
  private final MoveQueue queue;
  private final Arrivals arrivals;
  private final Semaphore window = new Semaphore(MovementLimits.BLOCKS_AT_ONCE);
  private final OpenCalls calls;
  private final RunFailure failure = new RunFailure(this::stop);
  private final RunRecord told;
  private final RunThreads threads = new RunThreads(failure::broken);
  private final SecondLooks looks;
  private volatile boolean stopped;
  private volatile boolean windsDown;

  MoverRun(
      MoverCluster cluster,
      MoverSettings settings,
      MoverConnection connection,
      Foreground foreground,
      MoverMemory memory,
      Listener.Step progress,
      MoveLog log)
      throws IOException {
    this.settings = settings;
    this.connection = connection;
    this.foreground = foreground;
    this.planner = Planner.ofRun(connection::volumes, cluster.names(), settings, memory.avoided());
    this.looks = new SecondLooks(connection, planner, settings.attempts(), threads, this);
    this.tally = new Tally(cluster.tiers().table());
    this.told = new RunRecord(log, tally, progress, failure::note);
    this.calls = new OpenCalls(() -> new DataNodeCall(connection, cluster.conf()));
    this.queue = memory.queue(settings.limits());
    this.arrivals =
        new Arrivals(
            connection, cluster.tiers().matcher(), settings.patienceSeconds(), this::ended);
  }

  MoverReport run(BlockIntake.Source source) throws IOException {
    long start = System.nanoTime();
    watchForeground();
    int count = Math.min(THREADS_MAX, planner.nodeCount() * settings.limits().movesPerNode());
    for (int i = 0; i < count; i++) {
      threads.start(this::makeMoves, "mover-" + i);
    }
    threads.start(arrivals, "mover-arrivals");
    threads.start(
        new LockWatch(connection::holds, failure::note, LockWatch.REST_MILLIS), "mover-lock");
    try {
      offer(source);
      window.acquire(MovementLimits.BLOCKS_AT_ONCE);
    } catch (IOException e) {
      // A call that an interrupt ended fails in one of many ways.
      if (!stopped && !Thread.currentThread().isInterrupted()) {
        throw e;
      }
      stop();
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
    failure.rethrow();
    return tally.report((System.nanoTime() - start) / 1e9, queue.yielded(), stopped);
  }

  private void offer(BlockIntake.Source source) throws IOException {
    if (source.waitsForHdfs()) {
      Unsettled unsettled = new Unsettled(connection, settings.patienceSeconds(), () -> stopped);
      BlockIntake intake = new BlockIntake(planner, tally, this::take, unsettled);
      source.offer(connection.fs(), intake);
      unsettled.settle(intake);
    } else {
      source.offer(connection.fs(), new BlockIntake(planner, tally, this::take));
    }
  }

  private void watchForeground() {
    if (foreground.isWatched()) {
      ForegroundWatch watch = foreground.watch(connection::liveNodes, queue);
      watch.look();
      threads.start(watch, "mover-load");
    }
  }

  /** Nothing starts any more; may be called by any thread, and more than once. */
  void stop() {
    stopped = true;
    queue.close().forEach(move -> end(move, Optional.of(StayReason.STOPPED)));
    calls.close();
    arrivals.stop().forEach(move -> end(move, Optional.of(StayReason.STOPPED)));
    // A caller that waits for room, or for the end, goes on.
    window.release(MovementLimits.BLOCKS_AT_ONCE);
  }

  /** Begins no more blocks after so long: {@link #run} returns when those begun are in place. */
  void windDownAfter(double seconds) {
    looks.after(seconds, this::windDown);
  }

  private void windDown() {
    windsDown = true;
    queue.takeOut(move -> !move.work().isBegun()).forEach(this::giveBack);
  }

  /** A move that waited for its turn; its block may have been begun with another one just now. */
  private void giveBack(PlannedMove move) {
    if (!move.work().giveBack()) {
      enqueue(List.of(move), System.nanoTime());
      return;
    }
    planner.withdraw(move);
    boolean over;
    synchronized (move.work()) {
      move.work().ended();
      move.work().drop().forEach(planner::withdraw);
      over = move.work().isOver();
    }
    if (over) {
      window.release();
    }
  }

  private void end() {
    queue.close();
    arrivals.stop();
    looks.stop();
    calls.close();
    threads.end();
  }

  private void take(BlockWork work, Planner.Planned planned) throws IOException {
    try {
      window.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(StayReason.STOPPED);
    }
    if (stopped) {
      throw new InterruptedIOException(StayReason.STOPPED);
    }
    start(work, planned);
  }

  @Override
  public void start(BlockWork work, Planner.Planned planned) {
    List<PlannedMove> startable;
    synchronized (work) {
      work.add(planned);
      startable = work.startable();
    }
    if (startable.isEmpty()) {
      over(work);
    } else {
      enqueue(startable, System.nanoTime());
    }
    if (windsDown) {
      windDown();
    }
  }

  private void enqueue(List<PlannedMove> moves, long notBeforeNanos) {
    for (PlannedMove move : moves) {
      if (!queue.add(move, notBeforeNanos)) {
        end(move, Optional.of(StayReason.STOPPED));
      }
    }
  }

  private void makeMoves() {
    try {
      for (PlannedMove move = queue.take(); move != null; move = queue.take()) {
        if (move.work().begin()) {
          make(move);
        } else {
          queue.release(move);
          giveBack(move);
        }
      }
    } catch (InterruptedException e) {
      // The run is over.
      Thread.currentThread().interrupt();
    }
  }

  private void make(PlannedMove move) {
    try {
      if (!call(move) || !arrivals.await(move)) {
        end(move, Optional.of(StayReason.STOPPED));
      }
    } catch (MoveFailure e) {
      failed(move, e);
    } catch (OperatorException e) {
      failure.note(e);
      end(move, Optional.of(StayReason.STOPPED));
    } catch (RuntimeException e) {
      // Else the block would be waited for for ever.
      String name = "the mover failed: " + e.getClass().getSimpleName();
      failed(move, new MoveFailure(MoveFailure.Kind.OTHER, name, e.toString()));
    }
  }

  /** False when the run was stopped before anything was asked. */
  private boolean call(PlannedMove move) throws MoveFailure {
    long begunNanos = System.nanoTime();
    try {
      queue.requireToStay(move);
      planner.requireNotAvoided(move);
      boolean made = calls.make(move, told.log(), () -> stopped);
      if (made) {
        planner.answered(move);
      }
      return made;
    } catch (MoveFailure e) {
      // Before another move has the turn: it may go to the same place.
      planner.note(move, e.kind(), begunNanos);
      throw e;
    } finally {
      queue.release(move);
    }
  }

  private void failed(PlannedMove move, MoveFailure failure) {
    MoveFailure.Kind kind = failure.kind();
    boolean ended = stopped;
    if (ended || kind == MoveFailure.Kind.PINNED) {
      end(move, Optional.of(ended ? StayReason.STOPPED : failure.getMessage()));
      return;
    }
    if (isAskedAgain(move, kind)) {
      enqueue(List.of(move), System.nanoTime() + BUSY_NANOS);
      return;
    }
    retry(move, failure);
    // Moves that wait for the same place would hold the window, and its node's turns.
    for (PlannedMove waiting : queue.takeOut(each -> planner.whyAvoided(each).isPresent())) {
      retry(waiting, planner.whyAvoided(waiting).orElse(failure));
    }
  }

  /** Whether the same is to be asked again in a moment; else it is noted who failed. */
  private boolean isAskedAgain(PlannedMove move, MoveFailure.Kind kind) {
    if (kind.isBusy()) {
      return !windsDown && planner.asksAgain(move, kind);
    }
    synchronized (move.work()) {
      boolean again = kind == MoveFailure.Kind.TARGET_CLOSED && move.work().asksAgain();
      if (!again) {
        move.work().note(move, kind);
      }
      return again;
    }
  }

  /** Looks at the block again when nothing of it is under way. */
  private void retry(PlannedMove move, MoveFailure failure) {
    told.failed(move, failure);
    BlockWork work = move.work();
    planner.withdraw(move);
    boolean over;
    synchronized (work) {
      work.ended();
      work.drop().forEach(planner::withdraw);
      work.failed(failure.getMessage(), failure.kind().isLoss());
      over = work.isOver();
    }
    if (over) {
      over(work);
    }
  }

  /** Told by {@link Arrivals}: a move is in place, or will not be for the reason given. */
  private void ended(PlannedMove move, InPlace how) {
    switch (how) {
      case YES -> end(move, Optional.empty());
      case ANOTHER_GONE -> {
        replan(move.work());
        end(move, Optional.empty());
      }
      case NO_BLOCK -> end(move, Optional.of(StayReason.DELETED));
      case COPIED -> end(move, Optional.of(StayReason.COPIED));
      case NO -> end(move, Optional.of(queue.whyNotKept(move)));
      case FEWER -> end(move, Optional.of(StayReason.FEWER));
      case CHANGED -> retry(move, MoveFailure.ofChange());
      case NOT_ASKED -> notAsked(move, arrivals.notAsked());
    }
  }

  /** Moves that nobody can ask about would go on for hours, and be told as failed one by one. */
  private void notAsked(PlannedMove move, NotAsked why) {
    end(move, Optional.of(why.text()));
    if (why.refusal().isPresent()) {
      stop();
    }
  }

  private void end(PlannedMove move, Optional<String> why) {
    BlockWork work = move.work();
    if (why.isEmpty()) {
      planner.done(move);
      told.moved(move);
    } else {
      told.ended(move, why.get());
      planner.withdraw(move);
      told.left(work, why.get(), StayReason.isFault(why.get()), move.bytes());
    }
    List<PlannedMove> next;
    boolean over;
    synchronized (work) {
      work.ended();
      if (why.isPresent()) {
        for (PlannedMove dropped : work.drop()) {
          planner.withdraw(dropped);
          told.left(work, why.get(), false, dropped.bytes());
        }
      }
      next = work.startable();
      over = next.isEmpty() && work.isOver();
    }
    enqueue(next, System.nanoTime());
    if (over) {
      over(work);
    }
  }

  /**
   * The rest of a block's plan needs a replica that is gone. Without a rest, the replica that went
   * may have been a wanted one.
   */
  private void replan(BlockWork work) {
    synchronized (work) {
      work.drop().forEach(planner::withdraw);
      work.failed(StayReason.ANOTHER_GONE, false);
    }
  }

  /** Nothing of a block is under way: it is done, or worth another look. */
  @Override
  public void over(BlockWork work) {
    boolean asWanted;
    boolean again;
    synchronized (work) {
      asWanted = work.asWanted() && work.failure() == null;
      again = work.failure() != null && !stopped;
    }
    if (again && windsDown) {
      giveUp(work, work.failure(), true, 1);
      return;
    }
    if (again && looks.later(work)) {
      return;
    }
    if (again) {
      // The run is over: the block stays as it is.
      told.left(work, StayReason.STOPPED, false, work.block().getNumBytes());
    } else {
      told.stays(work);
      if (asWanted || !stopped) {
        told.over(work, asWanted);
      }
    }
    window.release();
  }

  @Override
  public void giveUp(BlockWork work, String reason, boolean fault, int replicas) {
    // The stop itself may have made the look fail.
    boolean ended = stopped;
    String why = fault && ended ? StayReason.STOPPED : reason;
    for (int i = 0; i < replicas; i++) {
      told.left(work, why, fault && !ended, work.block().getNumBytes());
    }
    if (!ended) {
      told.over(work, false);
    }
    window.release();
  }
}
