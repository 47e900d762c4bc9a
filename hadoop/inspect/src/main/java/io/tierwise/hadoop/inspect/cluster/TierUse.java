package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;

/**
 * Capacity and use of a running cluster, tier by tier and volume by volume.
 *
 * @param tierTable whose table the tiers are of, for people
 * @param tiers fastest first
 */
public record TierUse(
    String tierTable, List<TierUse.TierRow> tiers, List<TierUse.VolumeRow> volumes) {

  public record TierRow(String name, long usedBytes, long capacityBytes, int volumeCount) {}

  /**
   * A volume.
   *
   * @param tier null when no tier matches it
   * @param matchingTiers all that match it; more than one is a mistake in the tier table
   */
  public record VolumeRow(
      String tier,
      List<String> matchingTiers,
      String node,
      String address,
      String rack,
      String state,
      boolean failed,
      String storageType,
      String storageId,
      long usedBytes,
      long capacityBytes,
      long remainingBytes) {}

  /** The use of a cluster's volumes; {@code whose} tells whose tier table the tiers are of. */
  public static TierUse of(ClusterVolumes cluster, String whose) {
    List<TierRow> rows = new ArrayList<>();
    for (Tier tier : cluster.tiers().table().tiers()) {
      List<ClusterVolumes.Volume> mine =
          cluster.volumes().stream().filter(v -> v.tier() == tier.index()).toList();
      rows.add(
          new TierRow(
              tier.name(),
              mine.stream().mapToLong(ClusterVolumes.Volume::usedBytes).sum(),
              mine.stream().mapToLong(ClusterVolumes.Volume::capacityBytes).sum(),
              mine.size()));
    }
    return new TierUse(
        whose, rows, cluster.volumes().stream().map(volume -> row(cluster, volume)).toList());
  }

  private static VolumeRow row(ClusterVolumes cluster, ClusterVolumes.Volume volume) {
    return new VolumeRow(
        cluster.tierName(volume),
        volume.matchingTiers().stream().map(t -> cluster.tiers().table().tier(t).name()).toList(),
        volume.nodeName(),
        volume.address(),
        volume.rack(),
        Words.word(volume.adminState()),
        volume.failed(),
        volume.storageType(),
        volume.storageId(),
        volume.usedBytes(),
        volume.capacityBytes(),
        volume.remainingBytes());
  }
}
