package io.tierwise.hadoop.mover;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Moves that wait for their turn: a node makes only so many at once, and none starts before its
 * {@link Pace} lets it. The first that can start does, so that a busy node holds up no other. Safe
 * for many threads.
 */
final class MoveQueue {
  private record Waiting(PlannedMove move, long notBeforeNanos) {}

  private final Pace pace;
  private final int movesPerNode;
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<String, Integer> running = new HashMap<>();
  private boolean closed;

  MoveQueue(Pace pace, int movesPerNode) {
    this.pace = pace;
    this.movesPerNode = movesPerNode;
  }

  /** Takes a move in; not after the queue was closed. */
  synchronized boolean add(PlannedMove move, long notBeforeNanos) {
    if (closed) {
      return false;
    }
    waiting.add(new Waiting(move, notBeforeNanos));
    notify();
    return true;
  }

  /** The next move, which counts as running until it is released; null when the queue is closed. */
  synchronized PlannedMove take() throws InterruptedException {
    while (!closed) {
      long now = System.nanoTime();
      long wakeNanos = Long.MAX_VALUE;
      Iterator<Waiting> all = waiting.iterator();
      while (all.hasNext()) {
        Waiting next = all.next();
        PlannedMove move = next.move();
        if (!hasTurn(move.to().nodeId()) || !hasTurn(move.source().nodeId())) {
          continue;
        }
        long start = Math.max(next.notBeforeNanos(), pace.startNanos(move));
        if (start > now) {
          wakeNanos = Math.min(wakeNanos, start - now);
          continue;
        }
        all.remove();
        pace.start(now, move);
        count(move, 1);
        notify();
        return move;
      }
      if (wakeNanos == Long.MAX_VALUE) {
        wait();
      } else {
        wait(TimeUnit.NANOSECONDS.toMillis(wakeNanos) + 1);
      }
    }
    return null;
  }

  private boolean hasTurn(String node) {
    return running.getOrDefault(node, 0) < movesPerNode;
  }

  private void count(PlannedMove move, int change) {
    String to = move.to().nodeId();
    String source = move.source().nodeId();
    running.merge(to, change, Integer::sum);
    if (!source.equals(to)) {
      running.merge(source, change, Integer::sum);
    }
  }

  /** A move that was taken is over. */
  synchronized void release(PlannedMove move) {
    count(move, -1);
    notify();
  }

  /** Ends the queue; the moves that have not started. */
  synchronized List<PlannedMove> close() {
    closed = true;
    List<PlannedMove> left = new ArrayList<>(waiting.stream().map(Waiting::move).toList());
    waiting.clear();
    notifyAll();
    return left;
  }
}
