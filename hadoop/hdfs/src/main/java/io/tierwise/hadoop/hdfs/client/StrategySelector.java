package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;

/**
 * The strategy that holds for a path: the attribute of the nearest directory, else the first rule
 * that matches, else the key {@code tierwise.access.strategy}.
 *
 * <p>The bare name of the NameNode's strategy also takes the NameNode's settings, if the client's
 * configuration has the NameNode's key. So one place says how fast links are.
 *
 * <p>A null session stands for stock HDFS: the order that the NameNode gave, untouched.
 */
final class StrategySelector {
  /** Sessions are shared within the process, so that what one stream learns serves the next. */
  private static final ConcurrentHashMap<String, AccessSession> SESSIONS =
      new ConcurrentHashMap<>();

  private static final int SESSIONS_MAX = 256;

  private record Rule(PathRule rule, AccessSession session) {}

  private final String cluster;
  private final String ofNameNode;
  private final AccessSession byDefault;
  private final List<Rule> rules;
  private final AttributeCache attributes;
  private final OnceLog badAttributes =
      new OnceLog("attribute " + ClientKeys.ATTRIBUTE + " ignored");

  private StrategySelector(
      String cluster,
      String ofNameNode,
      AccessSession byDefault,
      List<Rule> rules,
      AttributeCache attributes) {
    this.cluster = cluster;
    this.ofNameNode = ofNameNode;
    this.byDefault = byDefault;
    this.rules = List.copyOf(rules);
    this.attributes = attributes;
  }

  /**
   * @param cluster names the cluster: what was learnt of one is not used for another
   * @throws IllegalArgumentException naming key or rule and the unknown strategy
   */
  static StrategySelector of(
      Configuration conf,
      TierConfiguration tiers,
      String cluster,
      AttributeCache.Source attributes) {
    String ofNameNode = ofNameNode(conf);
    AccessSession byDefault =
        parse(
            cluster,
            ofNameNode,
            conf.getTrimmed(ClientKeys.STRATEGY, ClientKeys.STRATEGY_DEFAULT),
            ClientKeys.STRATEGY);
    List<Rule> rules = new ArrayList<>();
    for (PathRule rule : tiers.rules()) {
      if (rule.access() != null) {
        String place = tiers.source() + ": rule for " + rule.pattern();
        rules.add(new Rule(rule, parse(cluster, ofNameNode, rule.access(), place)));
      }
    }
    AttributeCache cache =
        conf.getBoolean(ClientKeys.FROM_ATTRIBUTE, false)
            ? new AttributeCache(
                attributes,
                conf.getInt(ClientKeys.ATTRIBUTE_ENTRIES, ClientKeys.ATTRIBUTE_ENTRIES_DEFAULT),
                conf.getInt(ClientKeys.ATTRIBUTE_SECONDS, ClientKeys.ATTRIBUTE_SECONDS_DEFAULT)
                    * 1_000_000_000L,
                System::nanoTime)
            : null;
    return new StrategySelector(cluster, ofNameNode, byDefault, rules, cache);
  }

  /** Empty when there is none, or none that can be understood: the NameNode itself says so. */
  private static String ofNameNode(Configuration conf) {
    String spec = conf.getTrimmed(TierwiseTopology.STRATEGY, "");
    try {
      return spec.isEmpty() ? spec : AccessStrategies.parse(spec).name();
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static AccessSession parse(String cluster, String ofNameNode, String spec, String place) {
    try {
      return session(cluster, ofNameNode, spec);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
    }
  }

  private static AccessSession session(String cluster, String ofNameNode, String spec) {
    var strategy = AccessStrategies.parse(ofNameNode.startsWith(spec + ":") ? ofNameNode : spec);
    if (strategy.name().equals(ClientKeys.STRATEGY_DEFAULT)) {
      return null;
    }
    if (SESSIONS.size() >= SESSIONS_MAX) {
      SESSIONS.clear();
    }
    return SESSIONS.computeIfAbsent(cluster + " " + strategy.name(), name -> newSession(strategy));
  }

  /** A strategy of another jar may fail in any way: its text is refused, as an unknown one is. */
  private static AccessSession newSession(AccessStrategy strategy) {
    try {
      return AccessSession.of(strategy);
    } catch (Throwable e) {
      throw new IllegalArgumentException("access strategy " + strategy.name() + " failed: " + e, e);
    }
  }

  /** Whether no path can have any strategy but stock. */
  boolean alwaysStock() {
    return byDefault == null
        && attributes == null
        && rules.stream().allMatch(rule -> rule.session == null);
  }

  /** Asks again for what is remembered of the path and all below it. */
  void forget(String path) {
    if (attributes != null) {
      // Such a name may stand for any other path.
      attributes.forget(path.startsWith("/.reserved/") ? "/" : path);
    }
  }

  /** The strategy for that path, or null for stock. */
  AccessSession of(String path) {
    if (attributes != null && !path.startsWith("/.reserved/")) {
      String spec = attributes.inheritedBy(path);
      if (spec != null) {
        try {
          return session(cluster, ofNameNode, spec);
        } catch (IllegalArgumentException e) {
          badAttributes.failed("above " + path, e);
        }
      }
    }
    for (Rule rule : rules) {
      if (rule.rule.matches(path)) {
        return rule.session;
      }
    }
    return byDefault;
  }
}
