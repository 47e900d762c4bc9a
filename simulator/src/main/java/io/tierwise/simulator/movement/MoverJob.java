package io.tierwise.simulator.movement;

/** Work for the cluster's one mover. */
interface MoverJob {
  /** Its turn has come: what is to be moved now, which may be nothing. */
  MovementRun.Order begin();

  /** All is moved, or stays. */
  void ended(MovementRun run);
}
