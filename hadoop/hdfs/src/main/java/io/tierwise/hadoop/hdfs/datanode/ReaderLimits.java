package io.tierwise.hadoop.hdfs.datanode;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.policies.access.Admission;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The most clients that may read a volume (T_r) and a node (T_c) at a time.
 *
 * <p>Source: access strategies, section III-B: T_r of the Storage Monitor, T_c of the Connection
 * Tracker.
 */
final class ReaderLimits {
  static final int NONE = Integer.MAX_VALUE;

  private final TierConfiguration tiers;
  private final int perVolume;
  private final boolean measured;
  private final int[] perTier;
  private final int perNode;

  private ReaderLimits(
      TierConfiguration tiers, int perVolume, boolean measured, int[] perTier, int perNode) {
    this.tiers = tiers;
    this.perVolume = perVolume;
    this.measured = measured;
    this.perTier = perTier;
    this.perNode = perNode;
  }

  /**
   * @return null when nothing is limited
   * @throws IllegalArgumentException one line that names the key and the bad value
   */
  static ReaderLimits of(Configuration conf) {
    String volume = conf.getTrimmed(DataNodeKeys.VOLUME_READERS, "");
    Map<String, String> byTier = conf.getPropsWithPrefix(DataNodeKeys.TIER_READERS_PREFIX);
    int perNode = limit(DataNodeKeys.NODE_READERS, conf.getTrimmed(DataNodeKeys.NODE_READERS, ""));
    if (volume.isEmpty() && byTier.isEmpty() && perNode == NONE) {
      return null;
    }
    TierConfiguration tiers = TierConfiguration.load(conf);
    int[] perTier = new int[tiers.table().count()];
    Arrays.fill(perTier, -1);
    byTier.forEach(
        (name, value) -> {
          String key = DataNodeKeys.TIER_READERS_PREFIX + name;
          Tier tier =
              tiers
                  .table()
                  .find(name)
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              key + ": unknown tier; the table has: " + tiers.table().names()));
          perTier[tier.index()] =
              value.trim().equals(DataNodeKeys.MEASURED) ? measured(tier) : limit(key, value);
        });
    boolean measured = volume.equals(DataNodeKeys.MEASURED);
    int perVolume = measured ? NONE : limit(DataNodeKeys.VOLUME_READERS, volume);
    return new ReaderLimits(tiers, perVolume, measured, perTier, perNode);
  }

  private static int limit(String key, String value) {
    if (value.isBlank()) {
      return NONE;
    }
    try {
      int limit = Integer.parseInt(value.trim());
      if (limit >= 0) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Reported below, like any other value that is no limit.
    }
    throw new IllegalArgumentException(
        key
            + " is \""
            + value
            + "\": must be a whole number from 0, or \""
            + DataNodeKeys.MEASURED
            + "\" for volumes");
  }

  /** A device that nobody measured is limited as the strategy that relies on it assumes. */
  private static int measured(Tier tier) {
    return new Admission(Admission.Limit.STORAGE_READERS, Admission.MEASURED).thresholdOf(tier);
  }

  TierConfiguration tiers() {
    return tiers;
  }

  int perNode() {
    return perNode;
  }

  /** The volume's tier index, or a negative number, also where this node cannot tell. */
  int tierOf(TierMatch.Volume volume) {
    return tiers.matcher().tierOfPartlyKnown(volume);
  }

  /** The tier that would have to know more of the volume than this node does. */
  Optional<String> undecided(TierMatch.Volume volume) {
    int tier = tiers.matcher().undecided(volume);
    return tier < 0 ? Optional.empty() : Optional.of(tierName(tier));
  }

  String tierName(int tier) {
    return tier < 0 ? "none" : tiers.table().tier(tier).name();
  }

  /**
   * Readers that a volume of that tier may have.
   *
   * <p>Own: "measured" for all volumes leaves the slowest tier unlimited. It is what refused
   * readers fall back to, and a disk is at its best with one reader: with that as its limit the
   * fallback would be refused as well, and reads would be slower than without any limit. A key of
   * the tier's own still limits it.
   */
  int perVolume(int tier) {
    if (tier >= 0 && perTier[tier] >= 0) {
      return perTier[tier];
    }
    if (measured) {
      return tier < 0 || isFallbackOfAll(tier) ? NONE : measured(tiers.table().tier(tier));
    }
    return perVolume;
  }

  private boolean isFallbackOfAll(int tier) {
    int count = tiers.table().count();
    return count > 1 && tier == count - 1;
  }
}
