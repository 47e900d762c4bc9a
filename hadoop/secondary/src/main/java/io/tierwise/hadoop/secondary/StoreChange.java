package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.CopyDescription;

/**
 * A change that a move made in a store, and that can be undone: nothing that the store had is
 * deleted before the move has succeeded.
 */
interface StoreChange {
  /** The copy's description after the change. */
  CopyDescription description();

  /** Deletes what was kept for undoing only, after the move has succeeded. */
  void settle();

  /** Restores what the store had, after the move has failed. */
  void undo();
}
