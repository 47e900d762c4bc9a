package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.metrics.LabelledRecords;
import io.tierwise.hadoop.hdfs.metrics.ShownMetrics;
import io.tierwise.policies.movement.RepairBacklog;
import io.tierwise.policies.movement.RepairBacklog.Amount;
import io.tierwise.policies.movement.Urgency;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** Shows the monitor: as a JMX bean for people, as a metrics source for Hadoop's sinks. */
final class MonitorStatus implements TierwiseMonitorMXBean, MetricsSource, AutoCloseable {
  static final String NAME = "TierwiseMonitor";

  private final Monitor monitor;
  private ShownMetrics shown;

  MonitorStatus(Monitor monitor) {
    this.monitor = monitor;
  }

  /**
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
    records.gauges("BacklogBlocks", "Blocks that wait for repair", "urgency", getBacklogBlocks());
    records.gauges(
        "BacklogBytes", "Bytes of replicas that should be elsewhere", "urgency", getBacklogBytes());
    records.counters(
        "MovedReplicasTotal", "Replicas moved for it", "direction", getMovedReplicas());
    records.counters("MovedBytesTotal", "Bytes moved for it", "direction", getMovedBytes());
    records.counters("FailuresTotal", "Repairs that failed", "reason", getFailures());
    records.counters("BackOffsTotal", "Blocks moved back after a repair", "tool", getBackOffs());
    records.gauges("MoverState", "1 for what the mover is at", "state", stateFlags());
    records.gauges(
        "MoverLimitBytesPerSecond", "What the mover may move", "of", getMoverLimitBytesPerSecond());
    RepairBacklog.Walked walked = monitor.backlog().lastWalk();
    records
        .record()
        .addGauge(Interns.info("Enabled", "1 when it looks for blocks"), isEnabled() ? 1 : 0)
        .addGauge(
            Interns.info("MoverYieldingNodes", "Nodes whose other work holds moves back"),
            getMoverYieldingNodes())
        .addGauge(Interns.info("AsyncFiles", "Files with replicas still to come"), getAsyncFiles())
        .addGauge(Interns.info("AsyncBlocks", "Their blocks"), getAsyncBlocks())
        .addGauge(Interns.info("AsyncBytes", "Bytes of these replicas"), getAsyncBytes())
        .addGauge(
            Interns.info("AsyncOldestAgeSeconds", "Since the oldest of them was written"),
            getAsyncOldestAgeSeconds())
        .addGauge(
            Interns.info("OldestAgeSeconds", "Age of the oldest block that waits"),
            getOldestAgeSeconds())
        .addGauge(Interns.info("QueueBlocks", "Blocks in the queue"), getQueueBlocks())
        .addGauge(Interns.info("ManagedFiles", "Files under a policy"), walked.files())
        .addGauge(Interns.info("ManagedBlocks", "Their blocks"), walked.blocks())
        .addGauge(
            Interns.info("LeftToHdfsBlocks", "Blocks that HDFS itself copies or thins out"),
            walked.leftToEngine())
        .addGauge(
            Interns.info("LeftAloneBlocks", "Blocks left alone because they were moved back"),
            getLeftAloneBlocks())
        .addCounter(Interns.info("WalksTotal", "Walks that came to their end"), getWalks())
        .addGauge(Interns.info("WalkSeconds", "Time of the last walk"), walked.seconds())
        .addGauge(
            Interns.info("LockSeconds", "Time that walks held the read lock"), getLockSeconds())
        .endRecord();
  }

  @Override
  public boolean isEnabled() {
    return monitor.settings().enabled();
  }

  @Override
  public Map<String, Long> getBacklogBlocks() {
    return backlog(Amount::blocks);
  }

  @Override
  public Map<String, Long> getBacklogBytes() {
    return backlog(Amount::bytes);
  }

  private Map<String, Long> backlog(ToLongFunction<Amount> figure) {
    Map<Urgency, Amount> amounts = monitor.backlog().backlog();
    Map<String, Long> byLabel = new LinkedHashMap<>();
    for (Urgency urgency : Urgency.values()) {
      byLabel.put(urgency.label(), figure.applyAsLong(amounts.getOrDefault(urgency, Amount.NONE)));
    }
    return byLabel;
  }

  @Override
  public double getOldestAgeSeconds() {
    return monitor.backlog().oldestAgeSeconds(Monitor.nowSeconds());
  }

  @Override
  public int getQueueBlocks() {
    return monitor.backlog().queueSize();
  }

  @Override
  public long getManagedFiles() {
    return monitor.backlog().lastWalk().files();
  }

  @Override
  public long getManagedBlocks() {
    return monitor.backlog().lastWalk().blocks();
  }

  @Override
  public long getLeftToHdfsBlocks() {
    return monitor.backlog().lastWalk().leftToEngine();
  }

  @Override
  public long getWalks() {
    return monitor.walks();
  }

  @Override
  public double getWalkSeconds() {
    return monitor.backlog().lastWalk().seconds();
  }

  @Override
  public double getLockSeconds() {
    return monitor.lockNanos() / 1e9;
  }

  @Override
  public int getAsyncFiles() {
    return monitor.async().fileCount();
  }

  @Override
  public long getAsyncBlocks() {
    return monitor.async().blockCount();
  }

  @Override
  public long getAsyncBytes() {
    return monitor.async().bytes();
  }

  @Override
  public double getAsyncOldestAgeSeconds() {
    return monitor.async().oldestAgeSeconds();
  }

  private Map<String, Long> stateFlags() {
    Map<String, Long> flags = new LinkedHashMap<>();
    for (RepairCalls.State state : RepairCalls.State.values()) {
      flags.put(state.label(), monitor.repairs().state() == state ? 1L : 0L);
    }
    return flags;
  }

  @Override
  public Map<String, Long> getMovedReplicas() {
    return monitor.repairs().movedReplicas();
  }

  @Override
  public Map<String, Long> getMovedBytes() {
    return monitor.repairs().movedBytes();
  }

  @Override
  public Map<String, Long> getFailures() {
    return monitor.repairs().failures();
  }

  @Override
  public Map<String, Long> getBackOffs() {
    return monitor.repairs().backOffs();
  }

  @Override
  public int getLeftAloneBlocks() {
    return monitor.backlog().leftAlone(Monitor.nowSeconds());
  }

  @Override
  public String getMoverState() {
    return monitor.repairs().state().label();
  }

  @Override
  public Map<String, Long> getMoverLimitBytesPerSecond() {
    return monitor.repairs().limits();
  }

  @Override
  public int getMoverYieldingNodes() {
    return monitor.repairs().yieldingNodes();
  }
}
