package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Policies by their specification, each read once. A specification comes from users: the catalog is
 * bounded, and a bad one is remembered as well.
 */
final class PolicyCatalog {
  /** The specification that leaves a path to stock HDFS, also below a managed directory. */
  static final String STOCK = "stock";

  private static final int ENTRIES_MAX = 1000;

  private final TierConfiguration configuration;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  PolicyCatalog(TierConfiguration configuration) {
    this.configuration = configuration;
  }

  /**
   * A specification that was read.
   *
   * @param policy null for {@link #STOCK} and for a bad specification
   * @param problem why it is bad; null when it is not
   * @param tiers indexes of the tiers that it names; all when it names none
   */
  record Entry(PlacementPolicy policy, String problem, Set<Integer> tiers) {}

  Entry get(String specification) {
    Entry entry = entries.get(specification);
    if (entry == null) {
      entry = read(specification);
      if (entries.size() >= ENTRIES_MAX) {
        entries.clear();
      }
      entries.put(specification, entry);
    }
    return entry;
  }

  private Entry read(String specification) {
    if (specification.strip().equals(STOCK)) {
      return new Entry(null, null, Set.of());
    }
    try {
      PlacementPolicy policy =
          PlacementPolicies.parse(specification, configuration.table(), configuration.layouts());
      return new Entry(policy, null, configuration.tiersNamed(policy.name()));
    } catch (IllegalArgumentException e) {
      return new Entry(null, e.getMessage(), Set.of());
    }
  }
}
