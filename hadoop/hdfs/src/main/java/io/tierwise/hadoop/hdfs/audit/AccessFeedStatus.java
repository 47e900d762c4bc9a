package io.tierwise.hadoop.hdfs.audit;

import io.tierwise.hadoop.hdfs.metrics.LabelledRecords;
import io.tierwise.hadoop.hdfs.metrics.ShownMetrics;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatTotals;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/** Shows the feed: as a JMX bean for people, as a metrics source for Hadoop's sinks. */
final class AccessFeedStatus implements TierwiseAccessFeedMXBean, MetricsSource {
  static final String NAME = "TierwiseAccessFeed";

  private final AccessFeed feed;

  private AccessFeedStatus(AccessFeed feed) {
    this.feed = feed;
  }

  /** Takes the place of an earlier feed of this process, whose NameNode is gone. */
  static void show(AccessFeed feed) {
    ShownMetrics.replace("NameNode", NAME, new AccessFeedStatus(feed));
  }

  private HeatTotals totals() {
    return feed.ask(HeatMap::totals);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    HeatTotals totals = totals();
    new LabelledRecords(collector, NAME)
        .record()
        .addCounter(Interns.info("EventsTotal", "Accesses taken into the queue"), getEvents())
        .addCounter(Interns.info("DroppedTotal", "Accesses that found it full"), getDropped())
        .addCounter(Interns.info("FailuresTotal", "Accesses lost to an error"), getFailures())
        .addGauge(Interns.info("QueueEvents", "Accesses that wait"), getQueueEvents())
        .addCounter(Interns.info("ReadsTotal", "Opens that began a read"), totals.reads())
        .addCounter(
            Interns.info("ContinuedTotal", "Opens that went on with a read"), totals.continued())
        .addGauge(Interns.info("Files", "Files with a count of their own"), totals.files())
        .endRecord();
  }

  @Override
  public long getEvents() {
    return feed.taken();
  }

  @Override
  public long getDropped() {
    return feed.dropped();
  }

  @Override
  public long getFailures() {
    return feed.failures();
  }

  @Override
  public int getQueueEvents() {
    return feed.queued();
  }

  @Override
  public long getReads() {
    return totals().reads();
  }

  @Override
  public long getContinued() {
    return totals().continued();
  }

  @Override
  public int getFiles() {
    return totals().files();
  }
}
