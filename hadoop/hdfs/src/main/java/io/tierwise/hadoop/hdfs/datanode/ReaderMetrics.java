package io.tierwise.hadoop.hdfs.datanode;

import io.tierwise.hadoop.hdfs.metrics.LabelledRecords;
import io.tierwise.hadoop.hdfs.metrics.ShownMetrics;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** Shows what the plug-in does in a DataNode: over JMX, and to Hadoop's metrics system. */
public final class ReaderMetrics implements TierwiseReadsMXBean, MetricsSource {
  private static final String NAME = "TierwiseReads";

  private final ReadAdmission admission;
  private final String problem;
  private ShownMetrics shown;

  private ReaderMetrics(ReadAdmission admission, String problem) {
    this.admission = admission;
    this.problem = problem;
  }

  /**
   * @param admission null when nothing is limited
   * @param problem why not, though a key asks for it; else empty
   * @param node distinguishes the DataNodes of one JVM; a name with a colon is none to JMX
   */
  public static ReaderMetrics register(ReadAdmission admission, String problem, String node) {
    ReaderMetrics metrics = new ReaderMetrics(admission, problem);
    metrics.shown = ShownMetrics.register("DataNode", NAME, node.replace(':', '-'), metrics);
    return metrics;
  }

  public void unregister() {
    if (shown != null) {
      shown.close();
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder node = new LabelledRecords(collector, NAME).record();
    node.addGauge(Interns.info("Limiting", "1 when reads are limited here"), isLimiting() ? 1 : 0);
    show(node, getReaders(), getPeakReaders(), getRefusals());
    node.addCounter(
            Interns.info("ServedAfterRefusalTotal", "Reads served since their client came back"),
            getServedAfterRefusal())
        .addCounter(
            Interns.info(
                "ServedForLackOfMemoryTotal", "Reads served since no refusal could be kept"),
            getServedForLackOfMemory())
        .addCounter(
            Interns.info(
                "ServedForLackOfReplicasTotal",
                "Reads of erasure-coded files served beyond a limit, since each part is on one node"),
            getServedForLackOfReplicas())
        .addCounter(
            Interns.info(
                "AdmissionErrorsTotal", "Reads served uncounted after an error of the plug-in"),
            getAdmissionErrors())
        .endRecord();
    LabelledRecords volumes = new LabelledRecords(collector, NAME + "Volume");
    counts()
        .forEach(
            (storageId, count) ->
                show(
                    volumes.record("volume", storageId, "tier", count.tier()),
                    count.readers(),
                    count.peakReaders(),
                    count.refusalCount()));
  }

  private static void show(MetricsRecordBuilder record, int readers, int peak, long refusals) {
    record.addGauge(Interns.info("Readers", "Clients reading now"), readers);
    record.addGauge(Interns.info("PeakReaders", "Most clients at a time"), peak);
    record.addCounter(Interns.info("RefusalsTotal", "Reads refused"), refusals);
  }

  private Map<String, ReaderCount> counts() {
    return admission == null ? Map.of() : admission.volumesByStorageId();
  }

  private <V> Map<String, V> byVolume(Function<ReaderCount, V> figure) {
    Map<String, V> figures = new TreeMap<>();
    counts().forEach((storageId, count) -> figures.put(storageId, figure.apply(count)));
    return figures;
  }

  @Override
  public boolean isLimiting() {
    return admission != null;
  }

  @Override
  public String getProblem() {
    return problem;
  }

  @Override
  public String getTierTableSource() {
    return admission == null ? "" : tiers().source();
  }

  @Override
  public String getTierTableDigest() {
    return admission == null ? "" : tiers().digest();
  }

  private TierConfiguration tiers() {
    return admission.tiers();
  }

  @Override
  public int getReaders() {
    return admission == null ? 0 : admission.readerCount();
  }

  @Override
  public int getPeakReaders() {
    return admission == null ? 0 : admission.node().peakReaders();
  }

  @Override
  public long getRefusals() {
    return admission == null ? 0 : admission.refusalCount();
  }

  @Override
  public long getServedAfterRefusal() {
    return admission == null ? 0 : admission.servedAfterRefusalCount();
  }

  @Override
  public long getServedForLackOfMemory() {
    return admission == null ? 0 : admission.servedForLackOfMemoryCount();
  }

  @Override
  public long getServedForLackOfReplicas() {
    return admission == null ? 0 : admission.servedForLackOfReplicasCount();
  }

  @Override
  public long getAdmissionErrors() {
    return admission == null ? 0 : admission.failureCount();
  }

  @Override
  public Map<String, Integer> getReadersByVolume() {
    return byVolume(ReaderCount::readers);
  }

  @Override
  public Map<String, Integer> getPeakReadersByVolume() {
    return byVolume(ReaderCount::peakReaders);
  }

  @Override
  public Map<String, Long> getRefusalsByVolume() {
    return byVolume(ReaderCount::refusalCount);
  }

  @Override
  public Map<String, String> getTierByVolume() {
    return byVolume(ReaderCount::tier);
  }
}
