package io.tierwise.hadoop.hdfs.tiers;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The tiers that some files may use. The first limit that applies to a file holds; a file to which
 * none applies may use every tier.
 *
 * @param users patterns of the names of files' owners
 * @param groups patterns of the names of their groups; users or groups must match where given
 * @param paths patterns of paths; one must match where given
 * @param tiers indexes of the tiers they may use
 */
public record TierLimit(
    List<String> users, List<String> groups, List<String> paths, Set<Integer> tiers) {
  public TierLimit {
    users = List.copyOf(users);
    groups = List.copyOf(groups);
    paths = List.copyOf(paths);
    tiers = Set.copyOf(tiers);
    if (users.isEmpty() && groups.isEmpty() && paths.isEmpty()) {
      throw new IllegalArgumentException("a limit must name users, groups or paths");
    }
    paths.forEach(PathPattern::requireAbsolute);
  }

  public boolean appliesTo(String user, Collection<String> userGroups, String path) {
    boolean anyUser = users.isEmpty() && groups.isEmpty();
    return (anyUser
            || anyMatches(users, user)
            || userGroups.stream().anyMatch(group -> anyMatches(groups, group)))
        && isAbout(path);
  }

  /** Whether it may apply to a user of whom nobody knows the groups. */
  boolean mayApplyTo(String user, String path) {
    return appliesTo(user, List.of(), path) || (!groups.isEmpty() && isAbout(path));
  }

  private boolean isAbout(String path) {
    return paths.isEmpty() || paths.stream().anyMatch(p -> new PathPattern(p).matches(path));
  }

  /** Whether it may apply to somebody's file at that path or below it. */
  public boolean mayApplyBelow(String path) {
    return paths.isEmpty()
        || paths.stream().anyMatch(p -> new PathPattern(p).mayMatchAtOrBelow(path));
  }

  private static boolean anyMatches(List<String> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> new Glob(pattern).matches(name));
  }
}
