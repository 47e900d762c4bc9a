package io.tierwise.hadoop.mover;

import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.MoveClaim;
import io.tierwise.policies.movement.MoveTurns;
import io.tierwise.policies.movement.MovementLimits;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Moves that wait for their {@linkplain MoveTurns turn}. Safe for many threads, of which one looks
 * for the next move: if all did, each moment at which a move may start would wake them all, and who
 * reads beside them would wait for a processor.
 */
final class MoveQueue {
  static final String NODE_LEAVES = "its new node is being decommissioned or in maintenance";
  private static final String NOT_KEPT = "the NameNode did not keep the copy";

  private final MovementLimits limits;
  private final MoveTurns<PlannedMove, String> turns;
  private final Lock lock = new ReentrantLock();

  /** There may be a move for the thread that looks. */
  private final Condition changed = lock.newCondition();

  /** Nobody looks. */
  private final Condition free = lock.newCondition();

  /** HDFS counts on nothing that comes to these, and shows it to nobody. */
  private volatile Set<String> leaving = Set.of();

  private boolean looking;
  private volatile boolean closed;

  MoveQueue(MovementLimits limits) {
    this(limits, new MoveTurns<>(limits, MoveQueue::claim));
  }

  private MoveQueue(MovementLimits limits, MoveTurns<PlannedMove, String> turns) {
    this.limits = limits;
    this.turns = turns;
  }

  /** The queue of the next run. While limits stay as they are, rates hold over all runs. */
  MoveQueue next(MovementLimits ofNext) {
    return ofNext.equals(limits)
        ? change(() -> new MoveQueue(limits, turns.next(System.nanoTime())))
        : new MoveQueue(ofNext);
  }

  private static MoveClaim<String> claim(PlannedMove move) {
    return new MoveClaim<>(
        move.to().nodeId(),
        move.source().nodeId(),
        move.to().storageId(),
        move.source().storageId(),
        move.bytes());
  }

  /** Takes a move in; not after the queue was closed. */
  boolean add(PlannedMove move, long notBeforeNanos) {
    return change(
        () -> {
          if (!closed) {
            turns.add(move, notBeforeNanos);
          }
          return !closed;
        });
  }

  /** The next move, which counts as running until it is released; null when the queue is closed. */
  PlannedMove take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (looking) {
        free.await();
      }
      looking = true;
      try {
        return look();
      } finally {
        looking = false;
        free.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private PlannedMove look() throws InterruptedException {
    while (!closed) {
      long now = System.nanoTime();
      Optional<PlannedMove> next = turns.take(now);
      if (next.isPresent()) {
        return next.get();
      }
      if (turns.nextNanos() == MoveTurns.NEVER) {
        changed.await();
      } else {
        long unused = changed.awaitNanos(turns.nextNanos() - now);
      }
    }
    return null;
  }

  /** Does something after which a move may start. */
  private <T> T change(Supplier<T> work) {
    lock.lock();
    try {
      changed.signal();
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Learns how busy nodes are.
   *
   * @param part of a node's limits that other movers leave
   */
  void know(List<String> nodes, LoadView load, ToDoubleFunction<String> part) {
    change(
        () -> {
          turns.know(System.nanoTime(), nodes, load, part);
          return null;
        });
  }

  /** Learns which nodes are on their way out, or away for a while. */
  void know(Set<String> nodesThatLeave) {
    leaving = nodesThatLeave;
  }

  /** Fails where another node should take the replica. */
  void requireToStay(PlannedMove move) throws MoveFailure {
    if (leaving.contains(move.to().nodeId())) {
      throw new MoveFailure(MoveFailure.Kind.OTHER, NODE_LEAVES, move.to().node() + " leaves");
    }
  }

  /** Why a copy that was made is not among the block's replicas. */
  String whyNotKept(PlannedMove move) {
    return leaving.contains(move.to().nodeId()) ? NODE_LEAVES : NOT_KEPT;
  }

  /** The waits so far for nodes that served much else. */
  MoveTurns.Yielded yielded() {
    return change(() -> turns.yielded(System.nanoTime()));
  }

  boolean isClosed() {
    return closed;
  }

  /** A move that was taken is over. */
  void release(PlannedMove move) {
    change(
        () -> {
          turns.release(move);
          return null;
        });
  }

  /** Takes moves out that have not started. */
  List<PlannedMove> takeOut(Predicate<PlannedMove> which) {
    return change(() -> turns.takeOut(which));
  }

  /** Ends the queue; the moves that have not started. */
  List<PlannedMove> close() {
    return change(
        () -> {
          closed = true;
          return turns.takeOut(move -> true);
        });
  }
}
