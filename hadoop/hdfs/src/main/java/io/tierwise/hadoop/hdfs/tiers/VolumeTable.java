package io.tierwise.hadoop.hdfs.tiers;

import java.util.List;

/**
 * The read speeds of single volumes that are not as fast as their tier's class says: an old disk
 * among new ones, a worn SSD. The first entry that matches holds.
 */
public record VolumeTable(List<Volume> volumes) {
  /** Each volume is as fast as its tier's class. */
  public static final VolumeTable EMPTY = new VolumeTable(List.of());

  public VolumeTable {
    volumes = List.copyOf(volumes);
  }

  /**
   * Volumes of one speed.
   *
   * @param storageIds patterns of storage ids; at least one
   */
  public record Volume(List<String> storageIds, double readBytesPerSecond) {
    public Volume {
      storageIds = List.copyOf(storageIds);
      if (storageIds.isEmpty()) {
        throw new IllegalArgumentException(
            "names no volume: give storage-ids; what all volumes of a tier give is its class");
      }
    }
  }

  /** Bytes per second, one reader; NaN when nobody said. */
  public double readBytesPerSecond(String storageId) {
    for (Volume volume : volumes) {
      if (TierMatch.anyMatches(volume.storageIds(), storageId)) {
        return volume.readBytesPerSecond();
      }
    }
    return Double.NaN;
  }
}
