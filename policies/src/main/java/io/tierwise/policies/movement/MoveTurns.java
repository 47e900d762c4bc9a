package io.tierwise.policies.movement;

import io.tierwise.core.view.LoadView;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Moves that wait for their turn: a node makes only so many at once, and none starts before its
 * {@link Pace} lets it. The first that can start does, so that a busy node holds up no other. A
 * node that serves much else keeps a {@linkplain ForegroundShare share} of both.
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
  private final ForegroundShare law;
  private final Function<M, MoveClaim<P>> claims;
  private final List<Waiting<M, P>> waiting = new ArrayList<>();
  private final Map<P, Integer> running = new LinkedHashMap<>();

  /** The nodes that keep less than all of their limits. */
  private Map<P, Double> shares = new LinkedHashMap<>();

  private final Set<P> yielded = new LinkedHashSet<>();
  private long yieldedNanos;
  private long knownNanos;
  private long nextNanos = NEVER;

  private record Waiting<M, P>(M move, MoveClaim<P> claim, long notBeforeNanos) {}

  /**
   * @param claims what each move takes
   */
  public MoveTurns(MovementLimits limits, Function<M, MoveClaim<P>> claims) {
    this.pace = new Pace<>(limits);
    this.movesPerNode = limits.movesPerNode();
    this.law = ForegroundShare.of(limits);
    this.claims = claims;
  }

  /**
   * Learns how busy nodes are; those that are not named are taken for idle.
   *
   * @param nodes by their ids in the view
   */
  public void know(long nowNanos, List<P> nodes, LoadView load) {
    note(nowNanos);
    Map<P, Double> now = new LinkedHashMap<>();
    for (int node = 0; node < nodes.size(); node++) {
      double share = law.of(load, node);
      if (share < 1) {
        now.put(nodes.get(node), share);
      }
    }
    for (P node : shares.keySet()) {
      if (!now.containsKey(node)) {
        pace.setShare(nowNanos, node, 1);
      }
    }
    now.forEach((node, share) -> pace.setShare(nowNanos, node, share));
    shares = now;
  }

  /** Counts the time in which moves waited at nodes that keep a share. */
  private void note(long nowNanos) {
    long since = nowNanos - knownNanos;
    knownNanos = nowNanos;
    if (shares.isEmpty()) {
      return;
    }
    Set<P> waitedFor = new LinkedHashSet<>();
    for (Waiting<M, P> each : waiting) {
      waitedFor.add(each.claim().to());
      waitedFor.add(each.claim().source());
    }
    for (P node : shares.keySet()) {
      if (waitedFor.contains(node)) {
        yielded.add(node);
        yieldedNanos += since;
      }
    }
  }

  /** The waits so far for nodes that served much else. */
  public Yielded yielded(long nowNanos) {
    note(nowNanos);
    return new Yielded(yielded.size(), yieldedNanos / 1e9);
  }

  /**
   * Waits for nodes that served much else.
   *
   * @param seconds that moves waited at them, summed over the nodes
   */
  public record Yielded(int nodes, double seconds) {
    public static final Yielded NOTHING = new Yielded(0, 0);
  }

  /** Takes a move in, which does not start before that moment. */
  public void add(M move, long notBeforeNanos) {
    waiting.add(new Waiting<>(move, claims.apply(move), notBeforeNanos));
  }

  /** The next move that starts now; it counts as running until it is released. */
  public Optional<M> take(long nowNanos) {
    nextNanos = NEVER;
    Iterator<Waiting<M, P>> all = waiting.iterator();
    while (all.hasNext()) {
      Waiting<M, P> next = all.next();
      MoveClaim<P> claim = next.claim();
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
    double share = shares.getOrDefault(node, 1.0);
    return running.getOrDefault(node, 0) < Math.max(1, (int) (movesPerNode * share));
  }

  private void count(MoveClaim<P> claim, int change) {
    running.merge(claim.to(), change, Integer::sum);
    if (!claim.source().equals(claim.to())) {
      running.merge(claim.source(), change, Integer::sum);
    }
  }

  /** Whether a move waits. */
  public boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** A move that was taken is over. */
  public void release(M move) {
    count(claims.apply(move), -1);
  }

  /** Takes out those of the moves that have not started. */
  public List<M> takeOut(Predicate<M> which) {
    List<M> out = new ArrayList<>();
    Iterator<Waiting<M, P>> all = waiting.iterator();
    while (all.hasNext()) {
      M move = all.next().move();
      // Asked once: the host's answer may change meanwhile.
      if (which.test(move)) {
        all.remove();
        out.add(move);
      }
    }
    return out;
  }
}
