package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.policies.access.AccessStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * Whether reads go by expected completion, which is what Tierwise recommends: of all orders it is
 * the only one that counts the readers of all clients, and only a NameNode can count them.
 */
final class ReadOrderChecks {
  private static final String RECOMMENDED = "auto";
  private static final String TOPOLOGY = DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY;
  private static final String USED = DFSConfigKeys.DFS_USE_DFS_NETWORK_TOPOLOGY_KEY;
  private static final String PREFETCH = HdfsClientConfigKeys.Read.PREFETCH_SIZE_KEY;
  private static final String REFRESH =
      HdfsClientConfigKeys.DFS_CLIENT_REFRESH_READ_BLOCK_LOCATIONS_MS_KEY;
  private static final String ADVICE =
      "set "
          + TOPOLOGY
          + " to "
          + TierwiseTopology.class.getName()
          + " and "
          + TierwiseTopology.STRATEGY
          + " to auto:link-megabytes-per-second=N, N being what a node's link carries (1250 for 10"
          + " Gbit/s)";

  private ReadOrderChecks() {}

  static boolean isRecommended(AccessStrategy strategy) {
    return isRecommended(strategy.name());
  }

  static boolean isRecommended(String spec) {
    return spec.strip().split(":", 2)[0].equals(RECOMMENDED);
  }

  /** Checks the keys that make {@code auto} worth less to a client that asks for it. */
  static List<Finding> ofClient(String where, Configuration conf) {
    List<Finding> findings = new ArrayList<>();
    String prefetch = conf.getTrimmed(PREFETCH, "");
    long blockBytes =
        conf.getLongBytes(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, DFSConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
    if (!prefetch.isEmpty() && conf.getLong(PREFETCH, 0) > blockBytes) {
      findings.add(
          Finding.warning(
              where,
              PREFETCH
                  + " is "
                  + prefetch
                  + ": readers ask for so many bytes at a time, not for"
                  + " each block when they come to it",
              "leave it out, or set it to 1: the order of auto is good for the moment alone"));
    }
    if (conf.getTimeDuration(REFRESH, 0, TimeUnit.MILLISECONDS) > 0) {
      findings.add(
          Finding.warning(
              where,
              REFRESH
                  + " is "
                  + conf.get(REFRESH)
                  + ": NameNodes count each refresh of an open file as a read",
              "set it to 0, Hadoop's default"));
    }
    return findings;
  }

  /** A client that has an order of its own. */
  static Finding ownOrder(String where, String key, AccessStrategy strategy) {
    return Finding.warning(
        where,
        "reads by " + strategy.name() + ", which does not know where other clients read",
        "unless that is wanted, set "
            + key
            + " to auto, and let NameNodes order by it: they count the readers of all clients");
  }

  /**
   * @param clientSpec what the client's key says; empty when it asks for nothing
   * @param ordering whether the NameNode publishes counters of its order: it does not when it could
   *     not begin, for example for want of a tier table
   */
  static List<Finding> ofNameNode(
      String where, String clientSpec, LoadKeyChecks.Keys keys, boolean ordering)
      throws IOException {
    if (!isRecommended(clientSpec)) {
      return List.of();
    }
    String order = keys.configured(TierwiseTopology.STRATEGY).orElse("");
    boolean ours = isOurs(keys);
    if (ours && isRecommended(order) && !isUsed(keys)) {
      return List.of(
          Finding.failure(
              where,
              USED
                  + " is false: "
                  + TOPOLOGY
                  + " is not used, and replicas stay ordered by distance",
              "leave it out, Hadoop's default is true; restart it"));
    }
    if (ours && isRecommended(order) && !ordering) {
      return List.of(
          Finding.failure(
              where,
              "is to order replicas by " + order.strip() + ", and orders them by distance",
              "its log says why, in a line with \""
                  + TierwiseTopology.STRATEGY
                  + "\"; restart it"));
    }
    if (ours && isRecommended(order)) {
      return List.of(Finding.ok(where, "orders replicas by " + order.strip()));
    }
    String found = ours ? order.isBlank() ? "by distance" : "by " + order.strip() : "by distance";
    return List.of(
        Finding.warning(
            where, "clients ask for auto, and this NameNode orders replicas " + found, ADVICE));
  }

  /** Whether a NameNode's keys ask it to order replicas. */
  static boolean isOrdering(LoadKeyChecks.Keys keys) throws IOException {
    return isOurs(keys) && !keys.configured(TierwiseTopology.STRATEGY).orElse("").isBlank();
  }

  /** Whether HDFS asks the class that its keys name at all. */
  static boolean isUsed(LoadKeyChecks.Keys keys) throws IOException {
    return !keys.configured(USED).orElse("").equals("false");
  }

  private static boolean isOurs(LoadKeyChecks.Keys keys) throws IOException {
    String className = keys.configured(TOPOLOGY).orElse("").strip();
    return className.equals(TierwiseTopology.class.getName());
  }
}
