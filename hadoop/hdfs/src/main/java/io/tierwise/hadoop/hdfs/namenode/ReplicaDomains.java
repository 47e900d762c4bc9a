package io.tierwise.hadoop.hdfs.namenode;

import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.AvailableSpaceRackFaultTolerantBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithNodeGroup;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain;

/**
 * Failure domains, beyond racks, in which the cluster's placement class keeps replicas apart. It
 * binds managed files as well: a block that breaks it would be copied again by the NameNode, which
 * asks that class whether a block stands well and cannot say whose block it is.
 */
final class ReplicaDomains {
  static final ReplicaDomains NONE = new ReplicaDomains(Kind.NONE, 0);

  private enum Kind {
    NONE,
    UPGRADE_DOMAIN,
    NODE_GROUP,
    RACK
  }

  private final Kind kind;
  private final int upgradeDomainsMin;

  private ReplicaDomains(Kind kind, int upgradeDomainsMin) {
    this.kind = kind;
    this.upgradeDomainsMin = upgradeDomainsMin;
  }

  static ReplicaDomains of(BlockPlacementPolicy rule, Configuration conf) {
    if (rule instanceof BlockPlacementPolicyWithUpgradeDomain) {
      int factor =
          conf.getInt(
              DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR,
              DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR_DEFAULT);
      return new ReplicaDomains(Kind.UPGRADE_DOMAIN, factor);
    }
    if (rule instanceof BlockPlacementPolicyWithNodeGroup) {
      return new ReplicaDomains(Kind.NODE_GROUP, 0);
    }
    return rule instanceof BlockPlacementPolicyRackFaultTolerant
            || rule instanceof AvailableSpaceRackFaultTolerantBlockPlacementPolicy
        ? new ReplicaDomains(Kind.RACK, 0)
        : NONE;
  }

  /** As many domains as the class asks for; {@code racks} is how many the cluster has. */
  int countMin(int racks) {
    return switch (kind) {
      case NONE -> 0;
      case UPGRADE_DOMAIN -> upgradeDomainsMin;
      case NODE_GROUP -> Integer.MAX_VALUE;
      case RACK -> racks;
    };
  }

  boolean share(DatanodeInfo node, DatanodeInfo other) {
    return switch (kind) {
      case NONE -> node.equals(other);
      // A node without one is a domain of its own, as for Hadoop.
      case UPGRADE_DOMAIN ->
          node.getUpgradeDomain() == null
              ? node.equals(other)
              : Objects.equals(node.getUpgradeDomain(), other.getUpgradeDomain());
      case NODE_GROUP, RACK -> node.getNetworkLocation().equals(other.getNetworkLocation());
    };
  }
}
