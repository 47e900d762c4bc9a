package io.tierwise.simulator.storage;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.storage.ReplicaCopies.Copy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Files with one more replica of each block in a fast tier: a cache of those in the others.
 *
 * <p>Source: DerbyhatS, 6.1.2 (a block's replica never goes to a node that has one already) and
 * 6.1.8 (copies read from several nodes). Own: a node takes one copy at a time; prefetches go
 * before all others; of the nodes that may take one, that with most room in the tier does. Where
 * the tier has no room a block stays as it was. No device fails meanwhile.
 */
public final class FastReplicas {
  private static final int NONE = ClusterView.NONE;

  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final BlockPlacer placer;
  private final ReplicaCopies<Replica> copies;
  private final int tier;
  private final CopyRate rate;
  private final Set<StoredFile> files = new LinkedHashSet<>();
  private final Deque<Waiting> prefetches = new ArrayDeque<>();
  private final Deque<Waiting> others = new ArrayDeque<>();
  private final int[] reading;
  private final boolean[] writing;
  private long prefetchedBytes;
  private long otherBytes;

  /** Says how fast copies go. */
  @FunctionalInterface
  public interface CopyRate {
    /** The most bytes a second of one that starts now, between two nodes. */
    double bytesPerSecond(boolean prefetch, int source, int target);
  }

  private record Waiting(StoredFile file, int index, boolean prefetch) {}

  /** The replica of a block that a copy becomes. */
  private record Replica(int block, int number, boolean prefetch) {}

  /**
   * No file is there yet.
   *
   * @param tier index of the fast tier
   */
  public FastReplicas(
      VirtualCluster cluster,
      Transfers transfers,
      Paths paths,
      WriteBuffers buffers,
      Namespace namespace,
      BlockPlacer placer,
      Meters meters,
      int tier,
      CopyRate rate) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.placer = placer;
    this.tier = tier;
    this.rate = rate;
    this.copies = new ReplicaCopies<>(cluster, transfers, paths, buffers, meters, this::copied);
    this.reading = new int[cluster.nodeCount()];
    this.writing = new boolean[cluster.nodeCount()];
  }

  /** Brings a file to the tier, a block at a time. */
  public void bring(StoredFile file, boolean prefetch) {
    files.add(file);
    for (int index = 0; index < file.blockCount(); index++) {
      (prefetch ? prefetches : others).add(new Waiting(file, index, prefetch));
    }
    copySome();
  }

  /** A file leaves the tier at once; does nothing for one that was deleted. */
  public void drop(StoredFile file) {
    files.remove(file);
    prefetches.removeIf(waiting -> waiting.file() == file);
    others.removeIf(waiting -> waiting.file() == file);
    if (!namespace.holds(file)) {
      return;
    }
    copies.abandon(copy -> namespace.fileOf(copy.what().block()) == file, this::ended);
    for (int index = 0; index < file.blockCount(); index++) {
      for (int i = 0; i < namespace.slotCount(); i++) {
        int volume = namespace.replica(file.block(index), i);
        if (volume != NONE && isFast(volume)) {
          placer.drop(file.block(index), i, file.blockBytes(index));
        }
      }
    }
    copySome();
  }

  /** Bytes that were copied for jobs that waited. */
  public long prefetchedBytes() {
    return prefetchedBytes;
  }

  /** Bytes of all other copies. */
  public long otherBytes() {
    return otherBytes;
  }

  private boolean isFast(int volume) {
    int viewVolume = cluster.volume(volume).viewVolume();
    return viewVolume != NONE && cluster.view().tierOfVolume(viewVolume) == tier;
  }

  private void copySome() {
    copySome(prefetches);
    copySome(others);
  }

  private void copySome(Deque<Waiting> queue) {
    while (!queue.isEmpty() && copies.count() < cluster.nodeCount()) {
      Waiting next = queue.peek();
      if (files.contains(next.file()) && namespace.holds(next.file()) && !begin(next)) {
        return;
      }
      queue.remove();
    }
  }

  /** Begins a copy, or leaves the block as it is; false when it has to wait for a node. */
  private boolean begin(Waiting waiting) {
    int block = waiting.file().block(waiting.index());
    long bytes = waiting.file().blockBytes(waiting.index());
    int source = source(block);
    if (source == NONE || namespace.replicaCount(block) == namespace.slotCount()) {
      return true;
    }
    int target = target(block, bytes, node -> !writing[node]);
    if (target == NONE) {
      return target(block, bytes, node -> true) == NONE;
    }
    placer.put(block, target, bytes);
    int number = 0;
    while (namespace.replica(block, number) != target) {
      number++;
    }
    namespace.beginCopy(block, number);
    int from = cluster.nodeOfVolume(source);
    int to = cluster.nodeOfVolume(target);
    reading[from]++;
    writing[to] = true;
    copies.start(
        new Copy<>(
            new Replica(block, number, waiting.prefetch()),
            source,
            target,
            bytes,
            rate.bytesPerSecond(waiting.prefetch(), from, to)));
    return true;
  }

  /** The replica on the node that the fewest copies read from; none when one is fast already. */
  private int source(int block) {
    int best = NONE;
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume == NONE) {
        continue;
      }
      if (isFast(volume)) {
        return NONE;
      }
      boolean isWhole = namespace.wholeReplica(block, i) != NONE;
      if (isWhole && (best == NONE || readingFrom(volume) < readingFrom(best))) {
        best = volume;
      }
    }
    return best;
  }

  private int readingFrom(int volume) {
    return reading[cluster.nodeOfVolume(volume)];
  }

  private int target(int block, long bytes, IntPredicate mayTake) {
    int best = NONE;
    for (int volume = 0; volume < cluster.volumeCount(); volume++) {
      boolean takes =
          isFast(volume)
              && placer.fits(volume, bytes)
              && mayTake.test(cluster.nodeOfVolume(volume))
              && !hasReplica(block, cluster.nodeOfVolume(volume));
      if (takes && (best == NONE || freeBytes(volume) > freeBytes(best))) {
        best = volume;
      }
    }
    return best;
  }

  private long freeBytes(int volume) {
    return cluster.view().freeBytes(cluster.volume(volume).viewVolume());
  }

  private boolean hasReplica(int block, int node) {
    for (int i = 0; i < namespace.slotCount(); i++) {
      int volume = namespace.replica(block, i);
      if (volume != NONE && cluster.nodeOfVolume(volume) == node) {
        return true;
      }
    }
    return false;
  }

  private void ended(Copy<Replica> copy) {
    reading[cluster.nodeOfVolume(copy.source())]--;
    writing[cluster.nodeOfVolume(copy.target())] = false;
  }

  private void copied(Copy<Replica> copy) {
    ended(copy);
    // Its file may have been deleted to make room for output.
    if (namespace.fileOf(copy.what().block()) != null) {
      namespace.endCopy(copy.what().block(), copy.what().number());
    }
    prefetchedBytes += copy.what().prefetch() ? copy.bytes() : 0;
    otherBytes += copy.what().prefetch() ? 0 : copy.bytes();
    copySome();
  }
}
