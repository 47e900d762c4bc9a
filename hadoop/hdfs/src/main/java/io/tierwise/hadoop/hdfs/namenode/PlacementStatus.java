package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;

/** Shows a host's counters: as a JMX bean for people, as a metrics source for Hadoop's sinks. */
final class PlacementStatus implements TierwisePlacementMXBean, MetricsSource, AutoCloseable {
  static final String NAME = "TierwisePlacement";

  private final TierConfiguration configuration;
  private final PlacementHost host;
  private final PlacementCounters counters;
  private ObjectName bean;
  private String source;

  PlacementStatus(TierConfiguration configuration, PlacementHost host) {
    this.configuration = configuration;
    this.host = host;
    this.counters = host.counters();
  }

  /**
   * Registers both.
   *
   * @param suffix tells a second NameNode in the same JVM from the first
   */
  void register(String suffix) {
    source = NAME;
    if (DefaultMetricsSystem.instance().getSource(source) != null) {
      source = NAME + "-" + suffix;
    }
    DefaultMetricsSystem.instance().register(source, "Tierwise placement in the NameNode", this);
    bean = MBeans.register("NameNode", source, this);
  }

  @Override
  public void close() {
    DefaultMetricsSystem.instance().unregisterSource(source);
    MBeans.unregister(bean);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    counters.replicas().forEach((given, count) -> add(record, "ReplicasGivenUp_" + given, count));
    counters
        .stockTakeovers()
        .forEach((reason, count) -> add(record, "StockTakeovers_" + reason, count));
    add(record, "DeletionsByPolicy", counters.deletionsByPolicy());
    add(record, "DeletionsByTierRule", counters.deletionsByTierRule());
    add(record, "ViewBuilds", host.views().builtCount());
    record.endRecord();
    counters
        .decisions()
        .forEach(
            (policy, count) ->
                collector
                    .addRecord(NAME)
                    .setContext("dfs")
                    .tag(Interns.info("policy", "Placement policy"), policy)
                    .addCounter(Interns.info("Decisions", "Placement decisions"), count)
                    .endRecord());
  }

  private static void add(MetricsRecordBuilder record, String name, long count) {
    record.addCounter(Interns.info(name, name.replace('_', ' ').toLowerCase(Locale.ROOT)), count);
  }

  @Override
  public String getTierTableSource() {
    return configuration.source();
  }

  @Override
  public String getTiers() {
    return configuration.table().names();
  }

  @Override
  public Map<String, Long> getDecisions() {
    return counters.decisions();
  }

  @Override
  public Map<String, Long> getReplicasByGivenUp() {
    return counters.replicas();
  }

  @Override
  public Map<String, Long> getStockTakeovers() {
    return counters.stockTakeovers();
  }

  @Override
  public boolean isDeletionLayoutSafe() {
    return host.deletions() != null;
  }

  @Override
  public long getDeletionsByPolicy() {
    return counters.deletionsByPolicy();
  }

  @Override
  public long getDeletionsByTierRule() {
    return counters.deletionsByTierRule();
  }

  @Override
  public int getViewNodes() {
    return host.views().index().nodes.length;
  }

  @Override
  public Map<String, Integer> getViewVolumesByTier() {
    ClusterIndex index = host.views().index();
    Map<String, Integer> counts = new TreeMap<>();
    configuration.table().tiers().forEach(tier -> counts.put(tier.name(), 0));
    for (int store = 0; store < index.storeTiers.length; store++) {
      int volumes = index.storeVolumeStarts[store + 1] - index.storeVolumeStarts[store];
      counts.merge(
          configuration.table().tier(index.storeTiers[store]).name(), volumes, Integer::sum);
    }
    return counts;
  }

  @Override
  public long getViewLooks() {
    return host.views().lookCount();
  }

  @Override
  public long getViewBuilds() {
    return host.views().builtCount();
  }

  @Override
  public long getViewBuildNanos() {
    return host.views().buildNanos();
  }
}
