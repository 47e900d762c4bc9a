package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.security.Groups;

/**
 * The policies that files of an owner may be under. Asks for the owner's groups, hence never under
 * the namesystem's locks.
 */
final class OwnerLimits {
  private final TierConfiguration configuration;
  private final boolean byGroup;

  OwnerLimits(TierConfiguration configuration) {
    this.configuration = configuration;
    this.byGroup = configuration.limits().stream().anyMatch(limit -> !limit.groups().isEmpty());
  }

  /** Whether there are any. */
  boolean exist() {
    return !configuration.limits().isEmpty();
  }

  /** Whether files of that owner at that path may use all tiers that the policy names. */
  boolean allow(String owner, String path, PolicyCatalog.Entry entry) {
    if (!exist()) {
      return true;
    }
    Set<Integer> allowed =
        configuration.allowedTiers(owner, groupsOf(owner), path).orElse(entry.tiers());
    return allowed.containsAll(entry.tiers());
  }

  private Collection<String> groupsOf(String user) {
    if (!byGroup) {
      return List.of();
    }
    try {
      return Groups.getUserToGroupsMappingService().getGroupsSet(user);
    } catch (IOException e) {
      return List.of();
    }
  }
}
