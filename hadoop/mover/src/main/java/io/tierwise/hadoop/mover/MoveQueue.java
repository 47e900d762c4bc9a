package io.tierwise.hadoop.mover;

import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.MoveClaim;
import io.tierwise.policies.movement.MoveTurns;
import io.tierwise.policies.movement.MovementLimits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Moves that wait for their {@linkplain MoveTurns turn}. Safe for many threads. */
final class MoveQueue {
  private final MoveTurns<PlannedMove, String> turns;
  private boolean closed;

  MoveQueue(MovementLimits limits) {
    this.turns = new MoveTurns<>(limits, MoveQueue::claim);
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
  synchronized boolean add(PlannedMove move, long notBeforeNanos) {
    if (closed) {
      return false;
    }
    turns.add(move, notBeforeNanos);
    notify();
    return true;
  }

  /** The next move, which counts as running until it is released; null when the queue is closed. */
  synchronized PlannedMove take() throws InterruptedException {
    while (!closed) {
      long now = System.nanoTime();
      Optional<PlannedMove> next = turns.take(now);
      if (next.isPresent()) {
        notify();
        return next.get();
      }
      if (turns.nextNanos() == MoveTurns.NEVER) {
        wait();
      } else {
        wait(TimeUnit.NANOSECONDS.toMillis(turns.nextNanos() - now) + 1);
      }
    }
    return null;
  }

  /** Learns how busy nodes are. */
  synchronized void know(List<String> nodes, LoadView load) {
    turns.know(System.nanoTime(), nodes, load);
    notifyAll();
  }

  /** The waits so far for nodes that served much else. */
  synchronized MoveTurns.Yielded yielded() {
    return turns.yielded(System.nanoTime());
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** A move that was taken is over. */
  synchronized void release(PlannedMove move) {
    turns.release(move);
    notify();
  }

  /** Takes moves out that have not started. */
  synchronized List<PlannedMove> takeOut(Predicate<PlannedMove> which) {
    return turns.takeOut(which);
  }

  /** Ends the queue; the moves that have not started. */
  synchronized List<PlannedMove> close() {
    closed = true;
    List<PlannedMove> left = turns.takeOut(move -> true);
    notifyAll();
    return left;
  }
}
