package io.tierwise.hadoop.inspect.explain;

import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.MountTable;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.access.AccessStrategies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The strategy that a client with this configuration reads a file by: stock HDFS's order unless its
 * file system class is ours, then the nearest attribute if clients are told to follow attributes,
 * then the first rule of its own tier table, then the key.
 */
public final class AccessOfClient {
  static final String STOCK_ORDER = "network-aware";

  private final Configuration conf;
  private final TierConfiguration tiers;
  private final List<String> malformed = new ArrayList<>();

  /**
   * @param conf as the client has it, before this command changed anything
   * @param tiers the client's own tier table
   */
  public AccessOfClient(Configuration conf, TierConfiguration tiers) {
    this.conf = conf;
    this.tiers = tiers;
  }

  PathPolicy of(DistributedFileSystem fs, Path file) throws IOException {
    String key = MountTable.clientKey(conf);
    String className = conf.getTrimmed(key);
    if (!isOurs(className)) {
      return new PathPolicy(
          STOCK_ORDER,
          "HDFS's own order: " + key + " is " + (className == null ? "not set" : className),
          false);
    }
    Optional<PathPolicy> attribute = PathPolicy.accessAttribute(fs, file);
    if (conf.getBoolean(ClientKeys.FROM_ATTRIBUTE, false)
        && attribute.isPresent()
        && isUnderstood(attribute.get())) {
      return attribute.get();
    }
    return PathPolicy.accessRule(file, tiers).orElseGet(this::byKey);
  }

  /** Malformed specifications that the client passes over. */
  public List<String> malformed() {
    return malformed;
  }

  private PathPolicy byKey() {
    String strategy = conf.getTrimmed(ClientKeys.STRATEGY);
    return strategy == null || strategy.isEmpty()
        ? new PathPolicy(
            ClientKeys.STRATEGY_DEFAULT,
            "HDFS's own order: the key " + ClientKeys.STRATEGY + " is not set",
            false)
        : new PathPolicy(strategy, "the key " + ClientKeys.STRATEGY, false);
  }

  private boolean isUnderstood(PathPolicy policy) {
    try {
      AccessStrategies.parse(policy.specification());
      return true;
    } catch (IllegalArgumentException e) {
      malformed.add(policy.origin() + " is ignored: " + e.getMessage());
      return false;
    }
  }

  private boolean isOurs(String className) {
    try {
      return className != null
          && TierwiseFileSystem.class.isAssignableFrom(conf.getClassByName(className));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
