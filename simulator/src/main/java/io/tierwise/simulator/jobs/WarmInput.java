package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.BitSet;

/** Input that stands in page caches before it is read, as after a write. */
final class WarmInput {
  /** Own: what rounding may take from a whole number of blocks; far below one. */
  private static final double ROUNDING = 1e-6;

  private final TaskContext context;

  /** The files that jobs have read, by their numbers. */
  private final BitSet read = new BitSet();

  /** Blocks of all of them that no job wrote. */
  private long blockCount;

  WarmInput(TaskContext context) {
    this.context = context;
  }

  /**
   * A job is about to read a file. When it is the first one, and none wrote the file, this puts
   * warm blocks of it, spread evenly over all input, where their pipelines went, if those nodes are
   * up: a share of the files where each is one block.
   */
  void opened(StoredFile file) {
    double share = context.model().warmInputShare();
    if (share == 0 || file.isOfJob() || read.get(file.id())) {
      return;
    }
    read.set(file.id());
    for (int index = 0; index < file.blockCount(); index++) {
      long warmBefore = warmOf(blockCount++, share);
      if (warmOf(blockCount, share) > warmBefore) {
        cache(file, index);
      }
    }
  }

  private static long warmOf(long blocks, double share) {
    return (long) (blocks * share + ROUNDING);
  }

  private void cache(StoredFile file, int index) {
    Namespace namespace = context.namespace();
    int block = file.block(index);
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.wholeReplica(block, i);
      if (volume != ClusterView.NONE && isUp(volume)) {
        int node = context.cluster().nodeOfVolume(volume);
        context.caches()[node].add(TaskContext.blockKey(block), file.blockBytes(index));
      }
    }
  }

  private boolean isUp(int volume) {
    VirtualCluster cluster = context.cluster();
    return cluster.view().takes(cluster.volume(volume).viewVolume(), 0);
  }
}
