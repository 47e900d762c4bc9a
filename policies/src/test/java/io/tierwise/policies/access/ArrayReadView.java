package io.tierwise.policies.access;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import java.util.Arrays;
import java.util.List;

/** The replicas of a block from arrays, each on its own node. */
record ArrayReadView(
    TierTable tiers, int[] tierOf, int[] distances, int[] transfers, long[] capacities)
    implements ReadView {
  static final int NVME = 0;
  static final int SSD = 1;
  static final int DISK = 2;

  /** hatS, Table 4.2. */
  static final TierTable HATS =
      TierTable.of(
          List.of(
              new DeviceClass("nvme", 533e6, 245e6, 70_000, 8, 533e6),
              new DeviceClass("ssd", 191e6, 139e6, 25_000, 4, 191e6),
              new DeviceClass("disk", 61e6, 46e6, 3_500, 0, 61e6)));

  static final TierTable UNMEASURED =
      TierTable.of(
          List.of(
              DeviceClass.unmeasured("nvme"),
              DeviceClass.unmeasured("ssd"),
              DeviceClass.unmeasured("disk")));

  static ArrayReadView of(TierTable tiers, int[] tierOf, int[] distances) {
    int count = tierOf.length;
    return new ArrayReadView(tiers, tierOf, distances, new int[count], new long[count]);
  }

  /** Replicas as pairs of tier and distance. */
  static ArrayReadView replicas(int... tierAndDistance) {
    int count = tierAndDistance.length / 2;
    int[] tierOf = new int[count];
    int[] distances = new int[count];
    for (int i = 0; i < count; i++) {
      tierOf[i] = tierAndDistance[2 * i];
      distances[i] = tierAndDistance[2 * i + 1];
    }
    return of(HATS, tierOf, distances);
  }

  ArrayReadView in(TierTable otherTiers) {
    return new ArrayReadView(otherTiers, tierOf, distances, transfers, capacities);
  }

  ArrayReadView withTransfers(int... counts) {
    return new ArrayReadView(tiers, tierOf, distances, counts, capacities);
  }

  ArrayReadView withCapacities(long... bytes) {
    return new ArrayReadView(tiers, tierOf, distances, transfers, bytes);
  }

  @Override
  public int replicaCount() {
    return tierOf.length;
  }

  @Override
  public int tier(int replica) {
    return tierOf[replica];
  }

  @Override
  public int distance(int replica) {
    return distances[replica];
  }

  @Override
  public int activeTransfers(int replica) {
    return transfers[replica];
  }

  @Override
  public int nodeKey(int replica) {
    return replica;
  }

  @Override
  public long capacityBytes(int replica) {
    return capacities[replica];
  }

  @Override
  public String toString() {
    return "tiers "
        + Arrays.toString(tierOf)
        + " of "
        + tiers
        + ", distances "
        + Arrays.toString(distances)
        + ", transfers "
        + Arrays.toString(transfers);
  }
}
