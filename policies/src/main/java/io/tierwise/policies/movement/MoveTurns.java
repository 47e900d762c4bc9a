package io.tierwise.policies.movement;

import io.tierwise.core.view.LoadView;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Moves that wait for their turn: a node makes only so many at once, none starts before its {@link
 * Pace} lets it, and all starts are {@linkplain StartSpacing kept apart}. The first that can start
 * does, so that a busy node holds up no other. A node that serves much else keeps a {@linkplain
 * ForegroundShare share} of its limits.
 *
 * <p>Whoever looks for the next move goes through the {@linkplain Route routes}, and not through
 * all moves that wait: moves inside the nodes of a small cluster are many on few routes.
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
  private final StartSpacing spacing;
  private final int movesPerNode;
  private final ForegroundShare law;
  private final Function<M, MoveClaim<P>> claims;
  private final Map<Route<P>, WaitingMoves<M>> waiting = new LinkedHashMap<>();
  private final Map<P, Integer> running = new LinkedHashMap<>();

  /** The nodes of all moves so far; one that has no more keeps its place in the distance. */
  private final Set<P> nodesOfMoves = new LinkedHashSet<>();

  /** The nodes that keep less than all of their limits. */
  private Map<P, Double> shares = new LinkedHashMap<>();

  private final Set<P> yielded = new LinkedHashSet<>();
  private long yieldedNanos;
  private long knownNanos;
  private long nextNanos = NEVER;
  private long added;

  /** What decides when a move may start: moves with the same one differ in bytes alone. */
  private record Route<P>(P to, P source, P toVolume, P sourceVolume) {
    static <P> Route<P> of(MoveClaim<P> claim) {
      return new Route<>(claim.to(), claim.source(), claim.toVolume(), claim.sourceVolume());
    }

    /** A move along it that moves nothing. */
    MoveClaim<P> claim() {
      return new MoveClaim<>(to, source, toVolume, sourceVolume, 0);
    }
  }

  /**
   * @param claims what each move takes
   */
  public MoveTurns(MovementLimits limits, Function<M, MoveClaim<P>> claims) {
    this(
        new Pace<>(limits),
        new StartSpacing(limits.nodeMovesPerSecond()),
        limits.movesPerNode(),
        ForegroundShare.of(limits),
        claims);
  }

  private MoveTurns(
      Pace<P> pace,
      StartSpacing spacing,
      int movesPerNode,
      ForegroundShare law,
      Function<M, MoveClaim<P>> claims) {
    this.pace = pace;
    this.spacing = spacing;
    this.movesPerNode = movesPerNode;
    this.law = law;
    this.claims = claims;
  }

  /**
   * The turns of the host's next run, by the same limits. What moves owe to the rates outlasts each
   * run, and so do the shares that nodes keep; moves that wait here, or run, do not count there.
   */
  public MoveTurns<M, P> next(long nowNanos) {
    MoveTurns<M, P> next = new MoveTurns<>(pace, spacing, movesPerNode, law, claims);
    next.shares = shares;
    next.knownNanos = nowNanos;
    return next;
  }

  /**
   * Learns how busy nodes are; those that are not named are taken for idle.
   *
   * @param nodes by their ids in the view
   */
  public void know(long nowNanos, List<P> nodes, LoadView load) {
    know(nowNanos, nodes, load, node -> 1);
  }

  /**
   * The same beside other movers, with which these moves share the limits of nodes. All of them
   * together then keep the least of the parts of their limit.
   *
   * @param part of a node's limits that is left to these moves, above 0 and up to 1
   */
  public void know(long nowNanos, List<P> nodes, LoadView load, ToDoubleFunction<P> part) {
    note(nowNanos);
    Map<P, Double> now = new LinkedHashMap<>();
    pace.setShareOfAll(nowNanos, nodes.stream().mapToDouble(part).min().orElse(1));
    for (int node = 0; node < nodes.size(); node++) {
      double share = law.of(load, node) * part.applyAsDouble(nodes.get(node));
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
    for (Route<P> each : waiting.keySet()) {
      waitedFor.add(each.to());
      waitedFor.add(each.source());
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
    MoveClaim<P> claim = claims.apply(move);
    nodesOfMoves.add(claim.to());
    nodesOfMoves.add(claim.source());
    waiting
        .computeIfAbsent(Route.of(claim), route -> new WaitingMoves<>())
        .add(added++, move, notBeforeNanos);
  }

  /** The next move that starts now; it counts as running until it is released. */
  public Optional<M> take(long nowNanos) {
    nextNanos = NEVER;
    Route<P> first = null;
    WaitingMoves.Waiting<M> move = null;
    long free = Math.max(nowNanos, spacing.startNanos(nodesOfMoves.size()));
    for (Map.Entry<Route<P>, WaitingMoves<M>> each : waiting.entrySet()) {
      Route<P> route = each.getKey();
      if (!hasTurn(route.to()) || !hasTurn(route.source())) {
        continue;
      }
      long start = each.getValue().startNanos(Math.max(free, pace.startNanos(route.claim())));
      if (start > nowNanos) {
        nextNanos = Math.min(nextNanos, start);
        continue;
      }
      WaitingMoves.Waiting<M> own = each.getValue().first(nowNanos).orElseThrow();
      if (move == null || own.number() < move.number()) {
        first = route;
        move = own;
      }
    }
    if (move == null) {
      return Optional.empty();
    }
    start(first, move, nowNanos);
    return Optional.of(move.move());
  }

  private void start(Route<P> route, WaitingMoves.Waiting<M> move, long nowNanos) {
    WaitingMoves<M> moves = waiting.get(route);
    moves.remove(move);
    if (moves.isEmpty()) {
      waiting.remove(route);
    }
    MoveClaim<P> claim = claims.apply(move.move());
    pace.start(nowNanos, claim);
    spacing.start(nowNanos, nodesOfMoves.size());
    count(claim, 1);
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

  /** Takes out those of the moves that have not started, in the order in which they came. */
  public List<M> takeOut(Predicate<M> which) {
    List<WaitingMoves.Waiting<M>> out =
        waiting.values().stream().flatMap(moves -> moves.takeOut(which).stream()).toList();
    waiting.values().removeIf(WaitingMoves::isEmpty);
    return out.stream()
        .sorted(Comparator.comparingLong(WaitingMoves.Waiting::number))
        .map(WaitingMoves.Waiting::move)
        .toList();
  }
}
