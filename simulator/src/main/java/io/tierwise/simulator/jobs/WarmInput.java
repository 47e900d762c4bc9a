package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;

/** Input that stands in page caches before it is read, as after a write. */
final class WarmInput {
  private WarmInput() {}

  /** Puts the warm blocks of a file, spread evenly over it, where its pipelines went. */
  static void warm(TaskContext context, StoredFile file) {
    double share = context.model().warmInputShare();
    for (int index = 0; share > 0 && index < file.blockCount(); index++) {
      if (Math.floor((index + 1) * share) > Math.floor(index * share)) {
        cache(context, file, index);
      }
    }
  }

  private static void cache(TaskContext context, StoredFile file, int index) {
    Namespace namespace = context.namespace();
    int block = file.block(index);
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != ClusterView.NONE) {
        int node = context.cluster().volume(volume).node();
        context.caches()[node].add(TaskContext.blockKey(block), file.blockBytes(index));
      }
    }
  }
}
