package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import org.apache.hadoop.hdfs.server.namenode.INode;

/**
 * The policy that holds for stored files, for one that goes through many of them under the FS lock:
 * it asks once a directory. Counts nothing, says nothing.
 */
final class StoredPolicies {
  private final TierConfiguration configuration;
  private final PolicyCatalog catalog;
  private final AttributeValues values = new AttributeValues(NamespacePolicies.ATTRIBUTE);
  private final OwnerLimits owners;
  private final boolean hasRules;

  StoredPolicies(TierConfiguration configuration, PolicyCatalog catalog) {
    this.configuration = configuration;
    this.catalog = catalog;
    this.owners = new OwnerLimits(configuration);
    this.hasRules = configuration.rules().stream().anyMatch(rule -> rule.placement() != null);
  }

  /**
   * The policy that holds at an inode and below it, unless one below it says otherwise.
   *
   * @param attribute the nearest one, or null
   * @param path of the inode; null where no rule goes by paths
   */
  record Scope(String attribute, String path) {}

  /** Climbs to the root. */
  Scope of(INode inode) {
    String attribute = null;
    for (INode at = inode; at != null && attribute == null; at = at.getParent()) {
      attribute = values.of(at);
    }
    return new Scope(attribute, hasRules ? inode.getFullPathName() : null);
  }

  /** The scope of a child of the inode that {@code parent} is of. */
  Scope below(Scope parent, INode child) {
    String own = values.of(child);
    if (own == null && !hasRules) {
      return parent;
    }
    String path = null;
    if (hasRules) {
      path = parent.path().equals("/") ? "/" : parent.path() + "/";
      path += child.getLocalName();
    }
    return new Scope(own == null ? parent.attribute() : own, path);
  }

  /** Whether files can be under a policy that their owners may not use. */
  boolean goByOwner() {
    return owners.exist();
  }

  /** Whether stock HDFS does not place such files after all. Never under the locks. */
  boolean ownerMayUse(String owner, String path, PolicyCatalog.Entry entry) {
    return owners.ask(owner, path, entry) == OwnerLimits.Answer.ALLOWED;
  }

  /** The policy in force as it was read; null where stock HDFS decides. */
  PolicyCatalog.Entry entry(Scope scope) {
    String specification = scope.attribute();
    if (specification == null && hasRules) {
      specification =
          configuration.placementRule(scope.path()).map(PathRule::placement).orElse(null);
    }
    PolicyCatalog.Entry entry = specification == null ? null : catalog.get(specification);
    return entry == null || entry.policy() == null ? null : entry;
  }
}
