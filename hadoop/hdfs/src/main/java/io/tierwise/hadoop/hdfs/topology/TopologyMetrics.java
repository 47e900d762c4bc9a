package io.tierwise.hadoop.hdfs.topology;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/** Publishes what the NameNode's ordering did. */
final class TopologyMetrics implements MetricsSource {
  private static final String NAME = "TierwiseTopology";

  private final TierwiseTopology topology;

  private TopologyMetrics(TierwiseTopology topology) {
    this.topology = topology;
  }

  /** A topology has no end of life in Hadoop: the newest one of a process is shown. */
  static void register(TierwiseTopology topology) {
    try {
      DefaultMetricsSystem.instance().unregisterSource(NAME);
      DefaultMetricsSystem.instance()
          .register(NAME, "Replica ordering on the NameNode", new TopologyMetrics(topology));
    } catch (MetricsException e) {
      // Then it is not shown; the ordering itself does not depend on it.
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    record.addCounter(
        Interns.info("OrderedBlocks", "Blocks put into the strategy's order"),
        topology.orderedBlockCount());
    record.addCounter(
        Interns.info("OrderFailures", "Blocks left in order of distance after an error"),
        topology.failureCount());
  }
}
