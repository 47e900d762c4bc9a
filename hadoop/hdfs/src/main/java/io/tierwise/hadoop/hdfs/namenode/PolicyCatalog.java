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

  private final CountedTiers tiers;
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  PolicyCatalog(CountedTiers tiers) {
    this.tiers = tiers;
  }

  /**
   * A specification that was read.
   *
   * @param policy null for {@link #STOCK} and for a bad specification
   * @param problem why it is bad; null when it is not
   * @param tiers indexes of the tiers that it names; all when it names none
   * @param table with which it was read
   */
  record Entry(
      PlacementPolicy policy, String problem, Set<Integer> tiers, TierConfiguration table) {}

  @SuppressWarnings("ReferenceEquality") // The table is another one when other tiers count.
  Entry get(String specification) {
    TierConfiguration table = tiers.configuration();
    Entry entry = entries.get(specification);
    if (entry == null || entry.table() != table) {
      entry = read(specification, table);
      if (entries.size() >= ENTRIES_MAX) {
        entries.clear();
      }
      entries.put(specification, entry);
    }
    return entry;
  }

  private static Entry read(String specification, TierConfiguration table) {
    if (specification.strip().equals(STOCK)) {
      return new Entry(null, null, Set.of(), table);
    }
    try {
      PlacementPolicy policy =
          PlacementPolicies.parse(specification, table.table(), table.layouts());
      return new Entry(policy, null, table.tiersNamed(policy.name()), table);
    } catch (IllegalArgumentException e) {
      return new Entry(null, e.getMessage(), Set.of(), table);
    }
  }
}
