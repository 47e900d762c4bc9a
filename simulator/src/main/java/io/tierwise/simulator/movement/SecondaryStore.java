package io.tierwise.simulator.movement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.storage.StoredFile;
import java.util.Optional;

/** AptStore's store of unpopular files: a tier that keeps one replica of each. */
final class SecondaryStore {
  private final VirtualCluster cluster;
  private final int tier;
  private final Optional<PlacementPolicy> placement;

  /**
   * The store of a cluster.
   *
   * @param tierName empty for a cluster without one
   */
  SecondaryStore(VirtualCluster cluster, String tierName) {
    this.cluster = cluster;
    TierTable tiers = cluster.view().tiers();
    boolean isThere = !tierName.isEmpty();
    this.tier = isThere ? tiers.tiers().indexOf(tiers.require(tierName)) : ClusterView.NONE;
    this.placement =
        isThere
            ? Optional.of(PlacementPolicies.parse("layout:1 x " + tierName, tiers))
            : Optional.empty();
  }

  boolean isThere() {
    return placement.isPresent();
  }

  /** Bytes that it has room for, on all its volumes together that are up. */
  long freeBytes() {
    long free = 0;
    for (int volume = 0; volume < cluster.volumeCount(); volume++) {
      int viewVolume = cluster.volume(volume).viewVolume();
      boolean isUp = has(volume) && cluster.view().takes(viewVolume, 0);
      free += isUp ? cluster.view().freeBytes(viewVolume) : 0;
    }
    return free;
  }

  /** Under which its files are; empty without a store. */
  Optional<PlacementPolicy> placement() {
    return placement;
  }

  /** Whether the volume is one of its; one that holds no HDFS data is not. */
  boolean has(int volume) {
    int viewVolume = cluster.volume(volume).viewVolume();
    return isThere()
        && viewVolume != ClusterView.NONE
        && cluster.view().tierOfVolume(viewVolume) == tier;
  }

  /** Whether the file is there or on its way to it. */
  boolean has(StoredFile file) {
    return isThere() && file.policy().equals(placement);
  }
}
