package io.tierwise.hadoop.hdfs.metrics;

import java.util.Map;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * Writes counters and gauges in the way that reads well in Prometheus: there a record {@code
 * TierwisePlacement} with the metric {@code DecisionsTotal} and the tag {@code policy} becomes
 * {@code tierwise_placement_decisions_total{policy="hybrid"}}.
 */
public final class LabelledRecords {
  private final MetricsCollector collector;
  private final String record;

  /**
   * @param record the first part of all names
   */
  public LabelledRecords(MetricsCollector collector, String record) {
    this.collector = collector;
    this.record = record;
  }

  /** A new record with these labels: name, value, name, value. */
  public MetricsRecordBuilder record(String... labels) {
    MetricsRecordBuilder builder = collector.addRecord(record).setContext("dfs");
    for (int i = 0; i < labels.length; i += 2) {
      builder.tag(Interns.info(labels[i], "The " + labels[i]), label(labels[i + 1]));
    }
    return builder;
  }

  /** One counter a label value. */
  public void counters(
      String name, String description, String label, Map<String, Long> countsByValue) {
    countsByValue.forEach(
        (value, count) ->
            record(label, value).addCounter(Interns.info(name, description), count).endRecord());
  }

  /** One gauge a label value. */
  public void gauges(
      String name, String description, String label, Map<String, ? extends Number> byValue) {
    byValue.forEach(
        (value, number) ->
            record(label, value)
                .addGauge(Interns.info(name, description), number.longValue())
                .endRecord());
  }

  /** Hadoop writes labels as they are: a quote in one would spoil the whole page. */
  private static String label(String value) {
    return value.replaceAll("[\"\\\\\\p{Cntrl}]", "_");
  }
}
