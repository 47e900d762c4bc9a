package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;

/** Input that stands in page caches before it is read, as after a write. */
final class WarmInput {
  private final TaskContext context;

  /** Blocks of all files that were laid out. */
  private long blockCount;

  WarmInput(TaskContext context) {
    this.context = context;
  }

  /**
   * Puts warm blocks of a file, spread evenly over all input, where their pipelines went: a share
   * of the files where each is one block.
   */
  void laidOut(StoredFile file) {
    double share = context.model().warmInputShare();
    for (int index = 0; index < file.blockCount(); index++) {
      long before = blockCount++;
      if (Math.floor(blockCount * share) > Math.floor(before * share)) {
        cache(file, index);
      }
    }
  }

  private void cache(StoredFile file, int index) {
    Namespace namespace = context.namespace();
    int block = file.block(index);
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != ClusterView.NONE) {
        int node = context.cluster().nodeOfVolume(volume);
        context.caches()[node].add(TaskContext.blockKey(block), file.blockBytes(index));
      }
    }
  }
}
