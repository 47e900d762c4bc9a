package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.secondary.SecondaryKeys;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.MountTable;
import io.tierwise.hadoop.inspect.health.PluginKeys.Plugin;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The keys of the configuration that this command, hence a client of this machine, uses. */
public final class ClientChecks {
  private static final String WHERE = "client";
  static final String STRATEGY = "tierwise.access.strategy";
  private static final String STOCK_ORDER = "network-aware";
  private static final String DEAD_NODE_DETECTION = "dfs.client.deadnode.detection.enabled";
  private static final List<String> REFUSED_BY_DATANODES = List.of("nbd", "sbd");

  private final Configuration conf;
  private final TierConfiguration tiers;

  public ClientChecks(Configuration conf, TierConfiguration tiers) {
    this.conf = conf;
    this.tiers = tiers;
  }

  public void run(Findings findings) {
    strategy(findings);
    for (Plugin plugin : PluginKeys.CLIENT) {
      String key = plugin.key().equals("fs.hdfs.impl") ? MountTable.clientKey(conf) : plugin.key();
      if (plugin.isSetBy(Optional.ofNullable(conf.get(key)))) {
        findings.add(Finding.ok(WHERE, key + " brings " + plugin.brings()));
      } else if (asksForOrder() || namesStores()) {
        findings.add(
            Finding.warning(WHERE, key + " is " + conf.get(key, "not set"), plugin.advice()));
      }
    }
    SecondaryChecks.run(conf, findings);
    if (conf.getBoolean(DEAD_NODE_DETECTION, false)) {
      findings.add(
          Finding.warning(
              WHERE,
              DEAD_NODE_DETECTION + " is true",
              "set it to false: it would count a node that refused one read as dead"));
    }
    if (ReadOrderChecks.isRecommended(conf.getTrimmed(STRATEGY, STOCK_ORDER))) {
      ReadOrderChecks.ofClient(WHERE, conf).forEach(findings::add);
    }
  }

  private void strategy(Findings findings) {
    try {
      AccessStrategy strategy = AccessStrategies.parse(conf.getTrimmed(STRATEGY, STOCK_ORDER));
      if (!asksForOrder()) {
        findings.add(Finding.ok(WHERE, "no strategy is asked for: reads in the NameNode's order"));
      } else if (named(strategy) && !ReadOrderChecks.isRecommended(strategy)) {
        findings.add(ReadOrderChecks.ownOrder(WHERE, STRATEGY, strategy));
      } else {
        findings.add(Finding.ok(WHERE, "reads by " + strategy.name()));
      }
    } catch (IllegalArgumentException e) {
      findings.add(Finding.failure(WHERE, e.getMessage(), "correct the key " + STRATEGY));
    }
  }

  /** Whether the key names a strategy. Rules do not count: each names one for its own paths. */
  private static boolean named(AccessStrategy strategy) {
    return !strategy.name().equals(STOCK_ORDER);
  }

  /** Whether files may be in a secondary store, which stock classes do not read. */
  private boolean namesStores() {
    return !conf.getTrimmed(SecondaryKeys.STORES, "").isEmpty();
  }

  /** Whether anything here names a strategy; without one, the client's classes bring nothing. */
  boolean asksForOrder() {
    return !conf.getTrimmed(STRATEGY, STOCK_ORDER).equals(STOCK_ORDER)
        || tiers.rules().stream().anyMatch(rule -> rule.access() != null);
  }

  /** Whether a strategy counts on DataNodes that refuse reads. */
  public boolean needsRefusals() {
    return isRefused(conf.getTrimmed(STRATEGY, STOCK_ORDER))
        || tiers.rules().stream().anyMatch(rule -> isRefused(rule.access()));
  }

  /** Settings may follow the name: {@code sbd:threshold=4}. */
  private static boolean isRefused(String spec) {
    return spec != null && REFUSED_BY_DATANODES.contains(spec.strip().split(":", 2)[0]);
  }
}
