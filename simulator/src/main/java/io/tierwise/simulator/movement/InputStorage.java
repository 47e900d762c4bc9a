package io.tierwise.simulator.movement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;

/** Counts the storage that input files take, at the ends of windows. */
final class InputStorage {
  private final Namespace namespace;
  private final InputUse use;
  private final SecondaryStore store;
  private int counts;
  private int files;
  private double bytesSum;
  private double secondaryBytesSum;
  private int filesWithMore;
  private int filesInSecondary;

  InputStorage(Namespace namespace, InputUse use, SecondaryStore store) {
    this.namespace = namespace;
    this.use = use;
    this.store = store;
  }

  /** Counts all replicas, those that are being copied included. */
  void count() {
    counts++;
    files = 0;
    filesWithMore = 0;
    filesInSecondary = 0;
    for (int number = 0; number < use.fileCount(); number++) {
      if (!use.exists(number)) {
        continue;
      }
      StoredFile file = use.file(number);
      files++;
      filesWithMore += !store.has(file) && file.replication() > namespace.replication() ? 1 : 0;
      filesInSecondary += store.has(file) ? 1 : 0;
      for (int index = 0; index < file.blockCount(); index++) {
        count(file.block(index), file.blockBytes(index));
      }
    }
  }

  private void count(int block, long bytes) {
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != ClusterView.NONE) {
        bytesSum += bytes;
        secondaryBytesSum += store.has(volume) ? bytes : 0;
      }
    }
  }

  /** Bytes as a mean over all counts, files as at the last one. */
  RunResult.Stored result() {
    return counts == 0
        ? RunResult.Stored.UNKNOWN
        : new RunResult.Stored(
            bytesSum / counts,
            secondaryBytesSum / counts,
            share(filesWithMore),
            share(filesInSecondary));
  }

  private double share(int some) {
    return files == 0 ? 0 : (double) some / files;
  }
}
