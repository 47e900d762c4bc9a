package io.tierwise.policies.movement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Moves between the same places that wait, in the order in which they came. Nearly all may start at
 * once as far as their host is concerned, so that the first is the next. Not for many threads.
 *
 * @param <M> the host's move
 */
final class WaitingMoves<M> {
  private final Deque<Waiting<M>> moves = new ArrayDeque<>();

  /**
   * A move that waits.
   *
   * @param number of those that came before it
   * @param notBeforeNanos its host lets it start then
   */
  record Waiting<M>(long number, M move, long notBeforeNanos) {}

  void add(long number, M move, long notBeforeNanos) {
    moves.add(new Waiting<>(number, move, notBeforeNanos));
  }

  boolean isEmpty() {
    return moves.isEmpty();
  }

  /** When one of them may start whose places are free from that moment on. */
  long startNanos(long freeNanos) {
    long least = MoveTurns.NEVER;
    for (Waiting<M> each : moves) {
      if (each.notBeforeNanos() <= freeNanos) {
        return freeNanos;
      }
      least = Math.min(least, each.notBeforeNanos());
    }
    return least;
  }

  /** The first that may start now. */
  Optional<Waiting<M>> first(long nowNanos) {
    return moves.stream().filter(each -> each.notBeforeNanos() <= nowNanos).findFirst();
  }

  void remove(Waiting<M> move) {
    moves.remove(move);
  }

  /** Takes out those of which the answer is yes. */
  List<Waiting<M>> takeOut(Predicate<M> which) {
    List<Waiting<M>> out = new ArrayList<>();
    Iterator<Waiting<M>> all = moves.iterator();
    while (all.hasNext()) {
      Waiting<M> next = all.next();
      // Asked once: the host's answer may change meanwhile.
      if (which.test(next.move())) {
        all.remove();
        out.add(next);
      }
    }
    return out;
  }
}
