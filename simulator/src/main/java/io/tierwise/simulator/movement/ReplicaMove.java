package io.tierwise.simulator.movement;

import io.tierwise.core.action.Move;

/** One replica's move; equal to itself alone. */
final class ReplicaMove {
  private final BlockWork work;
  private final Move decision;
  private final boolean inside;
  private boolean started;
  private boolean placed;

  ReplicaMove(BlockWork work, Move decision, boolean inside) {
    this.work = work;
    this.decision = decision;
    this.inside = inside;
  }

  BlockWork work() {
    return work;
  }

  /** Volumes are those of the view. */
  Move decision() {
    return decision;
  }

  long bytes() {
    return decision.cost().writtenBytes();
  }

  boolean isInside() {
    return inside;
  }

  /** Whether its room is taken from the cluster itself. */
  boolean isStarted() {
    return started;
  }

  void start() {
    started = true;
  }

  /** Whether the copy took the place of the old replica. */
  boolean isPlaced() {
    return placed;
  }

  void placed() {
    placed = true;
  }
}
