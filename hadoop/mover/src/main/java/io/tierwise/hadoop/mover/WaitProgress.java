package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Words;

/**
 * Tells how far HDFS is while somebody waits for it: of the blocks that the first look found to be
 * done, so many are. Nothing is told where that look found none. For one thread.
 */
final class WaitProgress {
  private final Listener listener;
  private final String label;
  private Listener.Step step;
  private long total;
  private long told;
  private long left;

  WaitProgress(Listener listener, String label) {
    this.listener = listener;
    this.label = label;
  }

  /** A look found so many blocks that are left; hands them on. */
  long left(long blocks) {
    left = blocks;
    if (step == null) {
      if (blocks == 0) {
        return 0;
      }
      total = blocks;
      step = listener.begin(label, total);
    }
    // More may be found than at first: others change the files, too.
    long done = Math.max(0, total - blocks);
    step.add(done - told);
    told = done;
    return blocks;
  }

  /** No look follows. */
  void finish() {
    if (step != null) {
      step.finish(Words.count(total, "block") + ", " + left + " left");
    }
  }
}
