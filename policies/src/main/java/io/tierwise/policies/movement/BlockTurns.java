package io.tierwise.policies.movement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The moves of one block that are left. Those inside nodes are made at once, one between nodes only
 * after the one before it is in place, so that the engine never has to choose among two copies. Not
 * for many threads.
 *
 * @param <M> the host's move
 */
public final class BlockTurns<M> {
  private final Predicate<M> insideNode;
  private final Deque<M> left = new ArrayDeque<>();
  private int underWay;

  public BlockTurns(Predicate<M> insideNode) {
    this.insideNode = insideNode;
  }

  /** Takes moves in, in the order of their plan. */
  public void add(List<? extends M> moves) {
    left.addAll(moves);
  }

  /** The moves that may start now; they count as under way. */
  public List<M> startable() {
    List<M> started = new ArrayList<>();
    while (!left.isEmpty() && (insideNode.test(left.peek()) || underWay == 0)) {
      M move = left.remove();
      started.add(move);
      underWay++;
      if (!insideNode.test(move)) {
        break;
      }
    }
    return List.copyOf(started);
  }

  /** A move that was under way is made or given up. */
  public void ended() {
    underWay--;
  }

  /** Takes out all moves that have not started. */
  public List<M> drop() {
    List<M> dropped = List.copyOf(left);
    left.clear();
    return dropped;
  }

  /** Whether nothing is left or under way. */
  public boolean isOver() {
    return left.isEmpty() && underWay == 0;
  }
}
