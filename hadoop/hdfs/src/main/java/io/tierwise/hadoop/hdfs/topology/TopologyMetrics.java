package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.hadoop.hdfs.metrics.LabelledRecords;
import io.tierwise.hadoop.hdfs.metrics.ShownMetrics;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** Publishes what the NameNode's ordering did. */
final class TopologyMetrics implements TierwiseTopologyMXBean, MetricsSource {
  private static final String NAME = "TierwiseTopology";

  private final TierwiseTopology topology;
  private final TierConfiguration tiers;

  private TopologyMetrics(TierwiseTopology topology, TierConfiguration tiers) {
    this.topology = topology;
    this.tiers = tiers;
  }

  /** A topology has no end of life in Hadoop: the newest one of a process is shown. */
  static void register(TierwiseTopology topology, TierConfiguration tiers) {
    ShownMetrics.replace("NameNode", NAME, new TopologyMetrics(topology, tiers));
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // Where the topology alone is installed no tick of the plug-in looks.
    topology.lookAtOrders();
    new LabelledRecords(collector, NAME)
        .record()
        .addCounter(
            Interns.info("OrderedBlocksTotal", "Blocks put into the strategy's order"),
            getOrderedBlocks())
        .addCounter(
            Interns.info("OrderFailuresTotal", "Blocks left in order of distance after an error"),
            getOrderFailures())
        .addCounter(
            Interns.info("SlowOrdersTotal", "Blocks that took over 50 ms to order"),
            getSlowOrders())
        .addCounter(
            Interns.info("OrdersLeftOutTotal", "Blocks not ordered, the strategy is too slow"),
            getOrdersLeftOut())
        .addGauge(Interns.info("OrderSeconds", "Time that the strategy took"), getOrderSeconds())
        .addCounter(
            Interns.info("LooksTotal", "Calls that asked for locations and were no reads"),
            getLooks())
        .endRecord();
  }

  @Override
  public String getTierTableSource() {
    return tiers.source();
  }

  @Override
  public String getTierTableDigest() {
    return tiers.digest();
  }

  @Override
  public long getOrderedBlocks() {
    return topology.orderedBlockCount();
  }

  @Override
  public long getOrderFailures() {
    return topology.failureCount();
  }

  @Override
  public long getSlowOrders() {
    return topology.slowCount();
  }

  @Override
  public long getOrdersLeftOut() {
    return topology.leftOutCount();
  }

  @Override
  public double getOrderSeconds() {
    return topology.orderSeconds();
  }

  @Override
  public double getCountedReads() {
    return topology.countedReads();
  }

  @Override
  public long getReportedReads() {
    return topology.reportedReadCount();
  }

  @Override
  public long getLooks() {
    return topology.lookCount();
  }
}
