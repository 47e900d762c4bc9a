package io.tierwise.hadoop.hdfs.tiers;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The tiers that files of some users may use. The first limit that applies to a user holds; a user
 * to whom none applies may use every tier.
 *
 * @param users patterns of user names
 * @param groups patterns of group names
 * @param tiers indexes of the tiers they may use
 */
public record TierLimit(List<String> users, List<String> groups, Set<Integer> tiers) {
  public TierLimit {
    users = List.copyOf(users);
    groups = List.copyOf(groups);
    tiers = Set.copyOf(tiers);
    if (users.isEmpty() && groups.isEmpty()) {
      throw new IllegalArgumentException("a limit must name users or groups");
    }
  }

  public boolean appliesTo(String user, Collection<String> userGroups) {
    return anyMatches(users, user)
        || userGroups.stream().anyMatch(group -> anyMatches(groups, group));
  }

  private static boolean anyMatches(List<String> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> new Glob(pattern).matches(name));
  }
}
