package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.inspect.health.LoadKeyChecks.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * Keys of the placement class that places files under no policy, and whose domains bind managed
 * files: those by which the class works against what it is there for.
 */
final class UnmanagedClassChecks {
  static final String CLASS = "tierwise.placement.unmanaged.classname";
  static final String DOMAIN_COUNT = DFSConfigKeys.DFS_UPGRADE_DOMAIN_FACTOR;
  static final String HOSTS = "dfs.namenode.hosts.provider.classname";
  static final int DOMAIN_COUNT_DEFAULT = 3;

  private static final String HOSTS_WITH_DOMAINS =
      "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager";
  private static final String SPACE = "dfs.namenode.available-space-";
  private static final String FRACTION = "-policy.balanced-space-preference-fraction";

  private final String where;
  private final Keys keys;
  private final List<Finding> findings = new ArrayList<>();

  private UnmanagedClassChecks(String where, Keys keys) {
    this.where = where;
    this.keys = keys;
  }

  /**
   * @param used the class that places such files, as the plug-in tells; empty where none does
   */
  static List<Finding> of(String where, Keys keys, String used) throws IOException {
    UnmanagedClassChecks checks = new UnmanagedClassChecks(where, keys);
    String name = keys.configured(CLASS).orElse("").strip();
    if (!name.isEmpty() && !used.isEmpty() && !name.equals(used)) {
      checks.findings.add(
          Finding.failure(
              where,
              CLASS + " is " + name + ", and files under no policy are placed by " + used,
              "correct the name, or put its jar on the NameNode's class path; its log, in a line"
                  + " with the key, says why it cannot be used"));
    } else if (needsDomains(name)) {
      checks.domains();
    } else if (name.endsWith(".AvailableSpaceBlockPlacementPolicy")) {
      checks.space(SPACE + "block-placement" + FRACTION);
    } else if (name.endsWith(".AvailableSpaceRackFaultTolerantBlockPlacementPolicy")) {
      checks.space(SPACE + "rack-fault-tolerant-block-placement" + FRACTION);
    }
    return checks.findings;
  }

  /** Whether that placement class spreads replicas over upgrade domains. */
  static boolean needsDomains(String className) {
    return className.endsWith(".BlockPlacementPolicyWithUpgradeDomain");
  }

  private void domains() throws IOException {
    String hosts = keys.configured(HOSTS).orElse("not set");
    if (!hosts.strip().equals(HOSTS_WITH_DOMAINS)) {
      findings.add(
          Finding.warning(
              where,
              HOSTS + " is " + hosts + ": no node has an upgrade domain, which " + CLASS + " needs",
              "set it to " + HOSTS_WITH_DOMAINS + ", and name domains in the file of dfs.hosts"));
    }
  }

  private void space(String key) throws IOException {
    String value = keys.configured(key).orElse("0.6");
    double fraction;
    try {
      fraction = Double.parseDouble(value.strip());
    } catch (NumberFormatException e) {
      return; // Hadoop itself refuses it at its start.
    }
    if (fraction < 0.5 || fraction > 1) {
      findings.add(
          Finding.warning(
              where,
              String.format(Locale.ROOT, "%s is %s: ", key, value)
                  + (fraction > 1 ? "it is a share of 1" : "fuller nodes get more blocks"),
              "set it between 0.5 and 1; Hadoop's default is 0.6"));
    }
  }
}
