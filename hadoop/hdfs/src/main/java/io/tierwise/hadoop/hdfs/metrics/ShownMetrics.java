package io.tierwise.hadoop.hdfs.metrics;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thing of a daemon that is shown twice under one name: to Hadoop's sinks as a metrics source,
 * and to people as a JMX bean.
 *
 * <p>Hadoop's metrics system makes a JMX bean of its own for each source. It takes the name {@code
 * Hadoop:service=SERVICE,name=NAME}, and numbers the keys of all records but the first by the order
 * in which they happen to come. So that bean is replaced by ours, whose keys are stable. See {@code
 * docs/decisions/0070-one-name-for-source-and-bean.md}.
 */
public final class ShownMetrics implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShownMetrics.class);

  private final String source;
  private final ObjectName bean;

  private ShownMetrics(String source, ObjectName bean) {
    this.source = source;
    this.bean = bean;
  }

  /**
   * Shows both. A failure to show one is logged in one line, and the host goes on without it.
   *
   * @param service the daemon's kind: NameNode or DataNode
   * @param name unique in a daemon; a second daemon in one JVM appends {@code suffix}
   * @param shown a metrics source that also implements the interface of a JMX bean
   * @return null when nothing could be shown
   */
  public static ShownMetrics register(
      String service, String name, String suffix, MetricsSource shown) {
    boolean taken = DefaultMetricsSystem.instance().getSource(name) != null;
    return replace(service, taken ? name + "-" + suffix : name, shown);
  }

  /** As {@link #register}, but takes the place of what has the name. */
  public static ShownMetrics replace(String service, String unique, MetricsSource shown) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    try {
      ObjectName bean = new ObjectName("Hadoop:service=" + service + ",name=" + unique);
      system.unregisterSource(unique);
      system.register(unique, "Tierwise in the " + service, shown);
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      unregister(server, bean);
      server.registerMBean(shown, bean);
      return new ShownMetrics(unique, bean);
    } catch (MetricsException | JMException e) {
      LOG.warn("The counters of {} are not shown: {}", unique, e.toString());
      return null;
    }
  }

  private static void unregister(MBeanServer server, ObjectName bean) throws JMException {
    if (server.isRegistered(bean)) {
      server.unregisterMBean(bean);
    }
  }

  @Override
  public void close() {
    DefaultMetricsSystem.instance().unregisterSource(source);
    try {
      unregister(ManagementFactory.getPlatformMBeanServer(), bean);
    } catch (JMException e) {
      LOG.debug("{} was gone already", bean, e);
    }
  }
}
