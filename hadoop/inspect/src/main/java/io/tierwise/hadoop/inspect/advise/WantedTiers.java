package io.tierwise.hadoop.inspect.advise;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import io.tierwise.hadoop.inspect.image.ImageFile;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.placement.PlacementPolicies;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;

/**
 * The tiers that the replicas of a file should be in, by its placement or HDFS's storage policy. An
 * image says no more: where they are the DataNodes know.
 */
final class WantedTiers {
  private static final int[] NOT_TOLD = {TierTable.NONE};

  private final TierConfiguration tiers;
  private final int usual;
  private final EnumSet<StorageType> absent;
  private final BlockStoragePolicySuite suite = BlockStoragePolicySuite.createDefaultSuite();
  private final BlockStoragePolicy usualPolicy;
  private final Map<Key, int[]> known = new HashMap<>();

  private record Key(int storagePolicy, String placement, int replicas) {}

  /**
   * @param types that volumes have; empty for any: HDFS's policies fall back from one that none has
   * @param storagePolicy the id of HDFS's storage policy for files without one
   */
  WantedTiers(TierConfiguration tiers, Set<StorageType> types, byte storagePolicy) {
    this.tiers = tiers;
    this.usualPolicy = suite.getPolicy(storagePolicy);
    absent =
        types.isEmpty()
            ? EnumSet.noneOf(StorageType.class)
            : EnumSet.complementOf(EnumSet.copyOf(types));
    usual = tierOf(StorageType.DISK);
  }

  int count() {
    return tiers.table().count();
  }

  String name(int tier) {
    return tiers.table().tier(tier).name();
  }

  /** Whether it is known which tier plain disks are, which HDFS's default policy wants. */
  boolean knowsDisks() {
    return usual != TierTable.NONE;
  }

  /** Whether there is a tier above plain disks. */
  boolean hasFaster() {
    return usual > 0;
  }

  /** A tier a replica, {@link TierTable#NONE} where the policy does not tell; at least one. */
  int[] of(ImageFile file) {
    String placement = placement(file);
    int replicas = Math.max(1, file.replicas());
    return known.computeIfAbsent(new Key(file.storagePolicy(), placement, replicas), this::find);
  }

  /** Replicas above plain disks. */
  int faster(int[] replicaTiers) {
    return (int) Arrays.stream(replicaTiers).filter(t -> t != TierTable.NONE && t < usual).count();
  }

  /** Replicas below plain disks. */
  int slower(int[] replicaTiers) {
    return knowsDisks() ? (int) Arrays.stream(replicaTiers).filter(t -> t > usual).count() : 0;
  }

  /** Whether all replicas are on plain disks. */
  boolean onDisks(int[] replicaTiers) {
    return knowsDisks() && Arrays.stream(replicaTiers).allMatch(t -> t == usual);
  }

  private String placement(ImageFile file) {
    if (file.striped()) {
      return null; // HDFS places these itself.
    }
    if (file.placement() != null || tiers.rules().isEmpty()) {
      return file.placement();
    }
    return tiers.placementRule(file.path().toString()).map(rule -> rule.placement()).orElse(null);
  }

  private int[] find(Key key) {
    if (key.placement() != null && !key.placement().strip().equals(PathPolicy.STOCK)) {
      try {
        return PlacementPolicies.parse(key.placement(), tiers.table(), tiers.layouts())
            .layout()
            .map(layout -> slots(layout, key.replicas()))
            .orElse(NOT_TOLD);
      } catch (IllegalArgumentException e) {
        return NOT_TOLD;
      }
    }
    boolean set = key.storagePolicy() != HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;
    BlockStoragePolicy policy = set ? suite.getPolicy((byte) key.storagePolicy()) : null;
    List<StorageType> types =
        (policy == null ? usualPolicy : policy)
            .chooseStorageTypes(
                (short) Math.min(Short.MAX_VALUE, key.replicas()), List.of(), absent, true);
    return types.isEmpty() ? NOT_TOLD : types.stream().mapToInt(this::tierOf).toArray();
  }

  private static int[] slots(Layout layout, int replicas) {
    int[] wanted = new int[replicas];
    int last = layout.slots().size() - 1;
    Arrays.setAll(wanted, i -> layout.slots().get(Math.min(i, last)).tier());
    return wanted;
  }

  /** The tier of a storage type; none where hosts, racks or ids decide, or where several match. */
  private int tierOf(StorageType type) {
    int found = TierTable.NONE;
    for (int tier = 0; tier < count(); tier++) {
      TierMatch match = tiers.matcher().match(tier);
      if (match.storageTypes().isEmpty() || match.storageTypes().contains(type)) {
        if (found != TierTable.NONE || !byTypeAlone(match)) {
          return TierTable.NONE;
        }
        found = tier;
      }
    }
    return found;
  }

  private static boolean byTypeAlone(TierMatch match) {
    return match.racks().isEmpty() && match.hosts().isEmpty() && match.storageIds().isEmpty();
  }
}
