package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.DecisionTimes;
import io.tierwise.hadoop.hdfs.metrics.LabelledRecords;
import io.tierwise.hadoop.hdfs.metrics.ShownMetrics;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** Shows a host's counters: as a JMX bean for people, as a metrics source for Hadoop's sinks. */
final class PlacementStatus implements TierwisePlacementMXBean, MetricsSource, AutoCloseable {
  static final String NAME = "TierwisePlacement";

  private final TierConfiguration configuration;
  private final PlacementHost host;
  private final PlacementCounters counters;
  private final Supplier<String> unmanagedClass;
  private ShownMetrics shown;

  /**
   * @param unmanagedClass decides for files under no policy
   */
  PlacementStatus(
      TierConfiguration configuration, PlacementHost host, Supplier<String> unmanagedClass) {
    this.configuration = configuration;
    this.host = host;
    this.unmanagedClass = unmanagedClass;
    this.counters = host.counters();
  }

  /**
   * Registers both.
   *
   * @param suffix tells a second NameNode in the same JVM from the first
   */
  void register(String suffix) {
    shown = ShownMetrics.register("NameNode", NAME, suffix, this);
  }

  @Override
  public void close() {
    if (shown != null) {
      shown.close();
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    LabelledRecords records = new LabelledRecords(collector, NAME);
    records.counters(
        "DecisionsTotal", "Placement decisions, by policy", "policy", counters.decisions());
    records.counters(
        "ReplicasTotal",
        "Replicas placed, by what was given up for them",
        "given_up",
        counters.replicas());
    counters.fallbacks().forEach((missed, count) -> addFallback(records, missed, count));
    records.counters(
        "StockTakeoversTotal",
        "Times that stock HDFS decided for a managed path, by reason",
        "reason",
        counters.stockTakeovers());
    addTimes(records, "place", host.counters().placing());
    addTimes(records, "drop", host.counters().dropping());
    records.counters(
        "DeletionsTotal",
        "Excess replicas that we chose, by what chose them",
        "chosen_by",
        Map.of(
            "policy", counters.deletionsByPolicy(), "tier_rule", counters.deletionsByTierRule()));
    records.gauges(
        "UsableVolumes", "Volumes that could take a block", "tier", getViewVolumesByTier());
    records.gauges(
        "CapacityBytes", "Capacity of the tier's volumes", "tier", getCapacityBytesByTier());
    records.gauges(
        "RemainingBytes", "Room left on the tier's volumes", "tier", getRemainingBytesByTier());
    records
        .record()
        .addGauge(Interns.info("ViewNodes", "Nodes that decisions know"), getViewNodes())
        .addCounter(Interns.info("ViewBuildsTotal", "Views made"), getViewBuilds())
        .addCounter(Interns.info("ViewLooksTotal", "Looks at the cluster"), getViewLooks())
        .addGauge(
            Interns.info("ViewBuildSeconds", "Time that the latest view took to make"),
            (double) getViewBuildNanos() / TimeUnit.SECONDS.toNanos(1))
        .endRecord();
  }

  private static void addTimes(LabelledRecords records, String question, DecisionTimes times) {
    Map<String, Long> slow = times.slow();
    times
        .seconds()
        .forEach(
            (policy, seconds) ->
                records
                    .record("question", question, "class", policy)
                    .addGauge(Interns.info("DecisionSeconds", "Time that policies took"), seconds)
                    .addCounter(
                        Interns.info("SlowDecisionsTotal", "Decisions that took over 50 ms"),
                        slow.getOrDefault(policy, 0L))
                    .endRecord());
  }

  private static void addFallback(LabelledRecords records, String missed, long count) {
    int slash = missed.indexOf('/');
    records
        .record("tier", missed.substring(0, slash), "reason", missed.substring(slash + 1))
        .addCounter(Interns.info("FallbacksTotal", "Replicas that did not get their tier"), count)
        .endRecord();
  }

  @Override
  public String getTierTableSource() {
    return configuration.source();
  }

  @Override
  public String getTierTableDigest() {
    return configuration.digest();
  }

  @Override
  public String getTiers() {
    return configuration.table().names();
  }

  @Override
  public String getUnmanagedClass() {
    return unmanagedClass.get();
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
  public Map<String, Long> getFallbacks() {
    return counters.fallbacks();
  }

  @Override
  public Map<String, Long> getStockTakeovers() {
    return counters.stockTakeovers();
  }

  @Override
  public Map<String, Double> getDecisionSeconds() {
    Map<String, Double> both = new TreeMap<>();
    host.counters()
        .placing()
        .seconds()
        .forEach((policy, seconds) -> both.put("place/" + policy, seconds));
    host.counters()
        .dropping()
        .seconds()
        .forEach((policy, seconds) -> both.put("drop/" + policy, seconds));
    return both;
  }

  @Override
  public Map<String, Long> getSlowDecisions() {
    Map<String, Long> both = new TreeMap<>();
    host.counters().placing().slow().forEach((policy, count) -> both.put("place/" + policy, count));
    host.counters().dropping().slow().forEach((policy, count) -> both.put("drop/" + policy, count));
    return both;
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
    Map<String, Integer> counts = new LinkedHashMap<>();
    configuration.table().tiers().forEach(tier -> counts.put(tier.name(), 0));
    for (int store = 0; store < index.storeTiers.length; store++) {
      int volumes = index.storeVolumeStarts[store + 1] - index.storeVolumeStarts[store];
      counts.merge(
          configuration.table().tier(index.storeTiers[store]).name(), volumes, Integer::sum);
    }
    return counts;
  }

  @Override
  public Map<String, Long> getCapacityBytesByTier() {
    return sumByTier(StorageReport::getCapacity);
  }

  @Override
  public Map<String, Long> getRemainingBytesByTier() {
    return sumByTier(StorageReport::getRemaining);
  }

  /** A figure of all volumes, added up by tier; a tier without volumes has zero. */
  private Map<String, Long> sumByTier(ToLongFunction<StorageReport> figure) {
    ClusterIndex index = host.views().index();
    long[] sums = new long[configuration.table().count()];
    for (DatanodeDescriptor node : index.nodes) {
      for (StorageReport report : node.getStorageReports()) {
        DatanodeStorageInfo storage = node.getStorageInfo(report.getStorage().getStorageID());
        int volume = storage == null ? ClusterView.NONE : index.idOf(storage);
        int tier = volume == ClusterView.NONE ? TierTable.NONE : index.volumeTiers[volume];
        if (tier != TierTable.NONE) {
          sums[tier] += figure.applyAsLong(report);
        }
      }
    }
    Map<String, Long> byName = new LinkedHashMap<>();
    configuration.table().tiers().forEach(tier -> byName.put(tier.name(), sums[tier.index()]));
    return byName;
  }

  @Override
  public long getKeptFreeBytes() {
    return host.admission().keptFreeBytes();
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
