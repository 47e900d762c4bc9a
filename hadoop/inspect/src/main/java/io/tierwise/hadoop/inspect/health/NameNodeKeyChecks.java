package io.tierwise.hadoop.inspect.health;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.health.PluginKeys.Plugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/**
 * The keys that put plug-ins into a NameNode. A cluster may have the order of reads alone: then its
 * placement is stock's on purpose, and nothing is missing.
 */
final class NameNodeKeyChecks {
  private final boolean placementAskedFor;
  private final boolean clientsAskForOrder;

  /**
   * @param conf of the command: who sets the key there wants it in the NameNode
   * @param clientsAskForOrder whether clients order replicas themselves
   */
  NameNodeKeyChecks(Configuration conf, TierConfiguration tiers, boolean clientsAskForOrder) {
    Plugin placement = PluginKeys.PLACEMENT;
    this.placementAskedFor =
        placement.isSetBy(Optional.ofNullable(conf.get(placement.key())))
            || tiers.rules().stream().anyMatch(rule -> rule.placement() != null)
            || !tiers.limits().isEmpty()
            || !tiers.byteLimits().isEmpty();
    this.clientsAskForOrder = clientsAskForOrder;
  }

  /** The use of a NameNode, as far as its keys tell. */
  enum Use {
    PLACEMENT,
    READS_ALONE,
    /** Placement is asked for, or nothing is, and keys are missing. */
    INCOMPLETE
  }

  /**
   * The result.
   *
   * @param running whether the plug-in of {@code dfs.namenode.plugins} should run
   */
  record Found(Use use, boolean running, List<Finding> findings) {}

  /**
   * @param state null when unknown
   */
  Found of(String where, HAServiceState state, LoadKeyChecks.Keys keys) throws IOException {
    Optional<String> placement = keys.configured(PluginKeys.PLACEMENT.key());
    Optional<String> paths = keys.configured(PluginKeys.PATHS.key());
    boolean places = PluginKeys.PLACEMENT.isSetBy(placement);
    boolean running = PluginKeys.PATHS.isSetBy(paths);
    boolean ordersReads = ReadOrderChecks.isOrdering(keys);
    List<Finding> findings = new ArrayList<>();
    if (places || placementAskedFor || !(ordersReads || clientsAskForOrder)) {
      findings.add(wanted(where, state, PluginKeys.PLACEMENT, placement));
      findings.add(wanted(where, state, PluginKeys.PATHS, paths));
      boolean complete = places && running;
      return new Found(complete ? Use.PLACEMENT : Use.INCOMPLETE, complete, findings);
    }
    findings.add(notUsed(where, PluginKeys.PLACEMENT, placement));
    if (running) {
      findings.add(brings(where, PluginKeys.PATHS));
    } else if (ordersReads) {
      findings.add(
          Finding.warning(
              where,
              is(PluginKeys.PATHS, paths) + ": calls that only ask where blocks are count as reads",
              "set it to " + PluginKeys.PATHS.className()));
    } else {
      findings.add(notUsed(where, PluginKeys.PATHS, paths));
    }
    return new Found(Use.READS_ALONE, running, findings);
  }

  private static Finding wanted(
      String where, HAServiceState state, Plugin plugin, Optional<String> value) {
    if (plugin.isSetBy(value)) {
      return brings(where, plugin);
    }
    return state == HAServiceState.OBSERVER
        ? Finding.warning(
            where, is(plugin, value), plugin.advice() + ": it would place blocks once it is active")
        : Finding.failure(where, is(plugin, value), plugin.advice());
  }

  private static Finding brings(String where, Plugin plugin) {
    return Finding.ok(where, plugin.key() + " brings " + plugin.brings());
  }

  private static Finding notUsed(String where, Plugin plugin, Optional<String> value) {
    return Finding.ok(where, "not used: " + plugin.brings() + "; " + is(plugin, value));
  }

  private static String is(Plugin plugin, Optional<String> value) {
    // Hadoop's own default of one of these keys is empty.
    return plugin.key() + " is " + value.filter(text -> !text.isBlank()).orElse("not set");
  }
}
