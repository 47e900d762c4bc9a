package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.security.Groups;

/**
 * The policies that files of an owner may be under. Asks for the owner's groups, hence never under
 * the namesystem's locks. An owner whose groups cannot be had counts as a member of every group
 * that a limit names, so that limits hold also while the service that knows groups is away.
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

  /** Whether files may be placed by their policy. */
  enum Answer {
    ALLOWED,
    /** A limit keeps them from a tier that the policy names. */
    LIMITED,
    /** A limit by group may do so, and the groups of their owner are not known. */
    GROUPS_UNKNOWN
  }

  /** Whether files of that owner at that path may use all tiers that the policy names. */
  Answer ask(String owner, String path, PolicyCatalog.Entry entry) {
    if (!exist()) {
      return Answer.ALLOWED;
    }
    Optional<? extends Collection<String>> groups = groupsOf(owner);
    Set<Integer> allowed =
        groups
            .map(known -> configuration.allowedTiers(owner, known, path))
            .orElseGet(() -> configuration.allowedTiersOfUnknownGroups(owner, path))
            .orElse(entry.tiers());
    if (allowed.containsAll(entry.tiers())) {
      return Answer.ALLOWED;
    }
    return groups.isPresent() ? Answer.LIMITED : Answer.GROUPS_UNKNOWN;
  }

  /** Empty when they are not known: Hadoop cannot tell a user without groups from a failure. */
  private Optional<? extends Collection<String>> groupsOf(String user) {
    if (!byGroup) {
      return Optional.of(List.of());
    }
    try {
      return Optional.of(Groups.getUserToGroupsMappingService().getGroupsSet(user))
          .filter(groups -> !groups.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
