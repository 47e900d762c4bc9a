package io.tierwise.policies.movement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Moves that wait for their turn: a node makes only so many at once, and none starts before its
 * {@link Pace} lets it. The first that can start does, so that a busy node holds up no other.
 *
 * <p>The host tells the time, on a clock of its own, and makes the moves. Not for many threads.
 *
 * @param <M> the host's move
 * @param <P> what the host knows nodes and volumes by
 */
public final class MoveTurns<M, P> {
  /** Stands for a moment that never comes. */
  public static final long NEVER = Long.MAX_VALUE;

  private final Pace<P> pace;
  private final int movesPerNode;
  private final Function<M, MoveClaim<P>> claims;
  private final List<Waiting<M>> waiting = new ArrayList<>();
  private final Map<P, Integer> running = new LinkedHashMap<>();
  private long nextNanos = NEVER;

  private record Waiting<M>(M move, long notBeforeNanos) {}

  /**
   * @param claims what each move takes
   */
  public MoveTurns(MovementLimits limits, Function<M, MoveClaim<P>> claims) {
    this.pace = new Pace<>(limits);
    this.movesPerNode = limits.movesPerNode();
    this.claims = claims;
  }

  /** Takes a move in, which does not start before that moment. */
  public void add(M move, long notBeforeNanos) {
    waiting.add(new Waiting<>(move, notBeforeNanos));
  }

  /** The next move that starts now; it counts as running until it is released. */
  public Optional<M> take(long nowNanos) {
    nextNanos = NEVER;
    Iterator<Waiting<M>> all = waiting.iterator();
    while (all.hasNext()) {
      Waiting<M> next = all.next();
      MoveClaim<P> claim = claims.apply(next.move());
      if (!hasTurn(claim.to()) || !hasTurn(claim.source())) {
        continue;
      }
      long start = Math.max(next.notBeforeNanos(), pace.startNanos(claim));
      if (start > nowNanos) {
        nextNanos = Math.min(nextNanos, start);
        continue;
      }
      all.remove();
      pace.start(nowNanos, claim);
      count(claim, 1);
      return Optional.of(next.move());
    }
    return Optional.empty();
  }

  /**
   * When a move that {@link #take} left may start, if no other one is released or added before;
   * {@link #NEVER} when all wait for others.
   */
  public long nextNanos() {
    return nextNanos;
  }

  private boolean hasTurn(P node) {
    return running.getOrDefault(node, 0) < movesPerNode;
  }

  private void count(MoveClaim<P> claim, int change) {
    running.merge(claim.to(), change, Integer::sum);
    if (!claim.source().equals(claim.to())) {
      running.merge(claim.source(), change, Integer::sum);
    }
  }

  /** A move that was taken is over. */
  public void release(M move) {
    count(claims.apply(move), -1);
  }

  /** Takes out all moves that have not started. */
  public List<M> clear() {
    List<M> left = waiting.stream().map(Waiting::move).toList();
    waiting.clear();
    return left;
  }
}
