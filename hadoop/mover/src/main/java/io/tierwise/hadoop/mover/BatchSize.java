package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.RepairBacklog;

/**
 * The number of blocks to ask the monitor for: as many as are repaired in about a minute at the
 * limits that hold. So the lock is given back in time, the NameNode hears of the mover, and urgent
 * blocks wait for no long batch. Not for many threads.
 */
final class BatchSize {
  private static final double SECONDS = 60;

  /**
   * Own: with three replicas of 128 MiB they take less than a minute at the default limit of all.
   */
  private static final int FIRST = 32;

  private static final int GROWTH_MAX = 4;

  private int blocks = FIRST;

  int blocks() {
    return blocks;
  }

  /** So many blocks took so long. */
  void took(int given, double seconds) {
    double most = Math.min(RepairBacklog.BATCH_BLOCKS, (double) GROWTH_MAX * given);
    double fit = given * SECONDS / Math.max(seconds, 1e-3);
    blocks = (int) Math.max(1, Math.min(most, fit));
  }
}
