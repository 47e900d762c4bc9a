package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;

/** The monitor of a live cluster as an administrator sees it, and repairs of what it finds. */
final class SeenMonitor {
  private final LiveCluster cluster;
  private final List<String> said = new CopyOnWriteArrayList<>();

  SeenMonitor(LiveCluster cluster) {
    this.cluster = cluster;
  }

  /** The hindrances that repairs named. */
  List<String> said() {
    return said;
  }

  Repairs repairs() throws IOException {
    Journal journal = new Journal(Files.createTempDirectory("tierwise-journal"));
    return repairs(journal);
  }

  Repairs repairs(Journal journal) throws IOException {
    return repairs(journal, LiveCluster.quick(), 600);
  }

  Repairs repairs(Journal journal, MoverSettings settings, double batchSecondsMax)
      throws IOException {
    return new Repairs(
        cluster.fs(),
        cluster.clientConf(),
        settings,
        () -> journal.begin("monitor run", "me", "here", List.of(), "policies", null),
        said::add,
        batchSecondsMax);
  }

  static Object shown(String attribute) {
    try {
      return ManagementFactory.getPlatformMBeanServer()
          .getAttribute(new ObjectName("Hadoop:service=NameNode,name=TierwiseMonitor"), attribute);
    } catch (JMException e) {
      throw new AssertionError(attribute, e);
    }
  }

  static long shown(String attribute, String label) {
    return (long) ((TabularData) shown(attribute)).get(new Object[] {label}).get("value");
  }

  /** Two walks end that began after the call. */
  void walk() throws IOException {
    NameNodePlugin plugin = new NameNodePlugin(cluster.fs(), cluster.clientConf());
    for (int i = 0; i < 2; i++) {
      long before = (long) shown("Walks");
      plugin.answer(plugin.ofActive(), RepairCalls.WALK);
      LiveCluster.await("a walk", () -> (long) shown("Walks") > before);
    }
  }
}
