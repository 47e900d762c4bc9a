package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.Tier;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

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
   * What a specification says.
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
      return new Entry(policy, null, tiersNamed(policy.name()));
    } catch (IllegalArgumentException e) {
      return new Entry(null, e.getMessage(), Set.of());
    }
  }

  /** A policy that names no tier places in all of them. */
  private Set<Integer> tiersNamed(String specification) {
    int colon = specification.indexOf(':');
    String settings = colon < 0 ? "" : specification.substring(colon + 1);
    String text = configuration.layouts().getOrDefault(settings, settings);
    Set<String> words = new HashSet<>(Arrays.asList(text.split("[^A-Za-z0-9_-]+")));
    Set<Integer> named =
        configuration.table().tiers().stream()
            .filter(tier -> words.contains(tier.name()))
            .map(Tier::index)
            .collect(Collectors.toSet());
    return named.isEmpty() || words.contains("any")
        ? configuration.table().tiers().stream().map(Tier::index).collect(Collectors.toSet())
        : named;
  }
}
