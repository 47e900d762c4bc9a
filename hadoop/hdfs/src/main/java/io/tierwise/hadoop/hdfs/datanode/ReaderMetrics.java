package io.tierwise.hadoop.hdfs.datanode;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/** Publishes an admission's counters through Hadoop's metrics system, hence over JMX as well. */
public final class ReaderMetrics implements MetricsSource {
  private static final String RECORD = "TierwiseReads";

  private final ReadAdmission admission;
  private final String name;

  private ReaderMetrics(ReadAdmission admission, String name) {
    this.admission = admission;
    this.name = name;
  }

  /**
   * @param node distinguishes the DataNodes of one process; a name with a colon is none to JMX
   */
  public static ReaderMetrics register(ReadAdmission admission, String node) {
    ReaderMetrics metrics = new ReaderMetrics(admission, RECORD + "-" + node.replace(':', '-'));
    DefaultMetricsSystem.instance()
        .register(metrics.name, "Clients reading, and refusals", metrics);
    return metrics;
  }

  public void unregister() {
    DefaultMetricsSystem.instance().unregisterSource(name);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder node = collector.addRecord(RECORD).setContext("dfs");
    show(node, admission.node(), admission.refusalCount());
    node.addCounter(
        Interns.info("ServedAfterRefusal", "Reads served since their client came back"),
        admission.servedAfterRefusalCount());
    node.addCounter(
        Interns.info("ServedForLackOfMemory", "Reads served since no refusal could be kept"),
        admission.servedForLackOfMemoryCount());
    node.addCounter(
        Interns.info("AdmissionErrors", "Reads served uncounted after an error of the plug-in"),
        admission.failureCount());
    for (ReaderCount volume : admission.volumes()) {
      MetricsRecordBuilder record = collector.addRecord(RECORD + "Volume").setContext("dfs");
      record.tag(Interns.info("Volume", "Storage id"), volume.name());
      record.tag(Interns.info("Tier", "Tier name"), volume.tier());
      show(record, volume, volume.refusalCount());
    }
  }

  private static void show(MetricsRecordBuilder record, ReaderCount count, long refusalCount) {
    record.addGauge(Interns.info("Readers", "Clients reading now"), count.readers());
    record.addGauge(Interns.info("PeakReaders", "Most clients at a time"), count.peakReaders());
    record.addCounter(Interns.info("Refusals", "Reads refused"), refusalCount);
  }
}
