package io.tierwise.simulator.storage;

import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementDecision;
import io.tierwise.policies.placement.PlacementDecision.Choice;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.random.RandomGenerator;

/** Asks the placement policy where replicas go, and takes the room from their volumes. */
public final class BlockPlacer {
  private static final int NONE = ClusterView.NONE;

  private final VirtualCluster cluster;
  private final ArrayClusterView view;
  private final Namespace namespace;
  private final PlacementPolicy policy;
  private final RandomGenerator random;
  private final boolean evictWhenFull;
  private long evictedBytes;
  private long placedBytes;
  private long droppedBytes;

  public BlockPlacer(
      VirtualCluster cluster,
      Namespace namespace,
      PlacementPolicy policy,
      RandomGenerator random,
      boolean evictWhenFull) {
    this.cluster = cluster;
    this.view = cluster.view();
    this.namespace = namespace;
    this.policy = policy;
    this.random = random;
    this.evictWhenFull = evictWhenFull;
  }

  /**
   * Places the replicas that a block lacks.
   *
   * @param index of the block in the file
   * @param writerNode or {@link ClusterView#NONE}
   * @return how many were placed; their volumes are in the namespace. 0: the cluster has no room
   */
  public int place(StoredFile file, int index, int writerNode) {
    return place(file, index, writerNode, evictWhenFull);
  }

  /** As {@link #place}, for copies: what is stored never makes room for them, as in HDFS. */
  int placeCopies(StoredFile file, int index) {
    return place(file, index, NONE, false);
  }

  private int place(StoredFile file, int index, int writerNode, boolean evicts) {
    int block = file.block(index);
    long bytes = file.blockBytes(index);
    int[] existing = existing(block);
    int wanted = file.replication() - existing.length;
    PlacementDecision decision = decide(file, index, bytes, wanted, writerNode, existing);
    while (decision.choices().size() < wanted && evicts && evictOne()) {
      decision = decide(file, index, bytes, wanted, writerNode, existing);
    }
    int slot = 0;
    for (Choice choice : decision.choices()) {
      while (namespace.replica(block, slot) != NONE) {
        slot++;
      }
      view.setFreeBytes(choice.volume(), view.freeBytes(choice.volume()) - bytes);
      namespace.setReplica(block, slot, cluster.volumeOfView(choice.volume()));
      placedBytes += bytes;
    }
    return decision.choices().size();
  }

  private int[] existing(int block) {
    int count = namespace.replicaCount(block);
    int[] volumes = new int[count];
    int next = 0;
    for (int i = 0; next < count; i++) {
      int volume = namespace.replica(block, i);
      if (volume != NONE) {
        volumes[next++] = cluster.volume(volume).viewVolume();
      }
    }
    return volumes;
  }

  private PlacementDecision decide(
      StoredFile file, int index, long bytes, int wanted, int writerNode, int[] existing) {
    FileView fileView =
        new FileView(file.fileIdOf(index), file.indexInPart(index), file.replication());
    int writerRack = writerNode == NONE ? NONE : cluster.rackOf(writerNode);
    return policy.place(
        new PlacementRequest(
            fileView,
            bytes,
            wanted,
            writerNode,
            writerRack,
            existing,
            NodeSet.EMPTY,
            Avoid.NOTHING),
        view,
        random);
  }

  private boolean evictOne() {
    StoredFile file = namespace.leastRecentlyUsed();
    if (file == null) {
      return false;
    }
    evictedBytes += file.bytes();
    delete(file);
    return true;
  }

  /** Deletes a file: its room is free at once. */
  public void delete(StoredFile file) {
    for (int index = 0; index < file.blockCount(); index++) {
      int block = file.block(index);
      for (int i = 0; i < namespace.replication(); i++) {
        drop(block, i, file.blockBytes(index));
      }
    }
    namespace.remove(file);
  }

  /** Drops one replica and gives back its room; does nothing when there is none. */
  public void drop(int block, int i, long bytes) {
    int volume = namespace.replica(block, i);
    if (volume == NONE) {
      return;
    }
    int viewVolume = cluster.volume(volume).viewVolume();
    view.setFreeBytes(viewVolume, view.freeBytes(viewVolume) + bytes);
    namespace.setReplica(block, i, NONE);
    droppedBytes += bytes;
  }

  /** Bytes of all replicas that were ever placed, those of copies included. */
  public long placedBytes() {
    return placedBytes;
  }

  /** Bytes of all replicas that were deleted, lost or given up. */
  public long droppedBytes() {
    return droppedBytes;
  }

  public long evictedBytes() {
    return evictedBytes;
  }
}
