package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;

/** Where the replicas of a block stand, looked up once: four look-ups a replica. */
record ReplicaPlaces(boolean[] known, int[] tiers, int[] nodes, int[] racks, int[] regions) {
  /**
   * @param volumes those of the replicas; {@link ClusterView#NONE} for one that the view does not
   *     know
   */
  static ReplicaPlaces of(int[] volumes, ClusterView view) {
    int count = volumes.length;
    ReplicaPlaces places =
        new ReplicaPlaces(
            new boolean[count], new int[count], new int[count], new int[count], new int[count]);
    for (int i = 0; i < count; i++) {
      places.known[i] = volumes[i] != ClusterView.NONE;
      places.tiers[i] = places.known[i] ? view.tierOfVolume(volumes[i]) : TierTable.NONE;
      places.nodes[i] = places.known[i] ? view.nodeOfVolume(volumes[i]) : ClusterView.NONE;
      places.racks[i] = places.known[i] ? view.rackOfNode(places.nodes[i]) : ClusterView.NONE;
      places.regions[i] = places.known[i] ? view.regionOfRack(places.racks[i]) : ClusterView.NONE;
    }
    return places;
  }

  int count() {
    return known.length;
  }

  /** Whether a replica before {@code replica} stands in its rack, for each replica. */
  boolean[] shareRackWithEarlier() {
    boolean[] shares = new boolean[count()];
    DenseIds seen = new DenseIds(count());
    for (int i = 0; i < count(); i++) {
      if (known[i]) {
        int before = seen.count();
        shares[i] = seen.of(racks[i]) < before;
      }
    }
    return shares;
  }
}
