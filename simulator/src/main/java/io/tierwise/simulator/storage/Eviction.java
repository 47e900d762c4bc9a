package io.tierwise.simulator.storage;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Which file makes room for a block that lacks replicas: of those that nobody uses, the one that
 * was used longest ago.
 *
 * <p>None does where room is not what lacks, as where too few nodes are up, or where no such file
 * has a replica on a volume that lacks it.
 */
final class Eviction {
  private final VirtualCluster cluster;
  private final ArrayClusterView view;
  private final Namespace namespace;
  private final boolean isAllowed;
  private long evictedBytes;

  /** {@code isAllowed}: else no file ever makes room. */
  Eviction(VirtualCluster cluster, Namespace namespace, boolean isAllowed) {
    this.cluster = cluster;
    this.view = cluster.view();
    this.namespace = namespace;
    this.isAllowed = isAllowed;
  }

  /** The file that goes for a block that got too few replicas; null where none would help. */
  StoredFile choose(PlacementRequest request, Place decision) {
    BitSet full = isAllowed ? fullVolumes(request, decision) : new BitSet();
    boolean helps =
        !full.isEmpty() && namespace.idleFiles().stream().anyMatch(file -> isOn(file, full));
    if (!helps) {
      return null;
    }
    StoredFile file = namespace.leastRecentlyUsed();
    evictedBytes += file.bytes();
    return file;
  }

  /** Bytes of the files that went. */
  long evictedBytes() {
    return evictedBytes;
  }

  /** The volumes that would take a further replica of the block if they had room for it. */
  private BitSet fullVolumes(PlacementRequest request, Place decision) {
    BitSet taken = new BitSet();
    for (int volume : request.existingVolumes()) {
      taken.set(view.nodeOfVolume(volume));
    }
    for (Choice choice : decision.choices()) {
      taken.set(view.nodeOfVolume(choice.volume()));
    }
    BitSet full = new BitSet();
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      boolean lacksRoom = view.takes(volume, 0) && !view.takes(volume, request.blockBytes());
      if (lacksRoom && !taken.get(view.nodeOfVolume(volume))) {
        full.set(cluster.volumeOfView(volume));
      }
    }
    return full;
  }

  private boolean isOn(StoredFile file, BitSet volumes) {
    return IntStream.range(0, file.blockCount())
        .flatMap(index -> IntStream.of(namespace.replicas(file.block(index))))
        .anyMatch(volumes::get);
  }
}
