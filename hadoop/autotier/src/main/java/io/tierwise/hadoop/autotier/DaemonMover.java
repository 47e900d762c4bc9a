package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.MoverMemory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The mover as all of a daemon use it that move: their runs take turns, and each knows what those
 * before it learned. The same of the secondary store, which takes no turns with the mover.
 */
record DaemonMover(ReentrantLock turn, MoverMemory memory, StoreRuns stores) {
  /**
   * One that knows nothing yet.
   *
   * @param say is told lines for people, by any thread
   */
  DaemonMover(Consumer<String> say) {
    this(new ReentrantLock(), new MoverMemory(say), new StoreRuns(say));
  }
}
