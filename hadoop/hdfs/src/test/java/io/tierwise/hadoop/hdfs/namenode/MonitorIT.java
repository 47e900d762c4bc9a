package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.Misplaced;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The monitor finds blocks that are off their layouts, on HDFS's stock defaults. */
class MonitorIT {
  private static final int BLOCK = 1 << 20;
  private static final String[] RACKS = {"/r1", "/r1", "/r2", "/r2"};

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    StorageType[][] types = new StorageType[RACKS.length][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE});
    cluster = TieredCluster.startWithStockDefaults(TieredCluster.THREE_TIERS, RACKS, types);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Path write(String path, int blocks) throws IOException {
    Path file = new Path(path);
    try (FSDataOutputStream out = cluster.files().create(file, true, 4096, (short) 3, BLOCK)) {
      out.write(new byte[blocks * BLOCK]);
    }
    cluster.awaitReplicas(file, 3);
    return file;
  }

  /** The queued blocks of a file, after a whole walk. */
  private static List<Misplaced> found(Path file) throws IOException {
    long id = cluster.mini().getNamesystem().getFSDirectory().getINode(file.toString()).getId();
    walk();
    return cluster.monitor().backlog().first(1_000, Monitor.nowSeconds()).stream()
        .filter(block -> block.fileId() == id)
        .toList();
  }

  /** A walk that begins after the call comes to its end. */
  private static void walk() {
    long before = cluster.monitor().walks();
    cluster.monitor().walkNow();
    TieredCluster.await("another walk", () -> cluster.monitor().walks() >= before + 1);
    cluster.monitor().walkNow();
    TieredCluster.await("a whole walk", () -> cluster.monitor().walks() >= before + 2);
  }

  @Test
  void aPolicySetOnStoredFilesMakesThemABacklogAndUnsettingItEndsThat() throws Exception {
    cluster.directory("/changed", null);
    Path file = write("/changed/file", 3);
    assertThat(found(file)).isEmpty();

    cluster.setPolicy(new Path("/changed"), "layout:1 x fast + 2 x middle");
    assertThat(found(file))
        .hasSize(3)
        .allSatisfy(
            block -> {
              assertThat(block.urgency().label()).isEqualTo("missing_copy");
              assertThat(block.replicas()).isEqualTo(1);
              assertThat(block.bytes()).isEqualTo(BLOCK);
              assertThat(block.missingCopies()).isEqualTo(1);
            });
    assertThat(shown("BacklogBlocks").get("missing_copy")).isGreaterThanOrEqualTo(3);
    assertThat(shown("BacklogBytes").get("missing_copy")).isGreaterThanOrEqualTo(3L * BLOCK);
    assertThat((double) attribute("OldestAgeSeconds")).isPositive();

    cluster.files().removeXAttr(new Path("/changed"), TieredCluster.ATTRIBUTE);
    assertThat(found(file)).isEmpty();
    assertThat(shown("BacklogBlocks").get("missing_copy")).isZero();
  }

  @Test
  void aReplicaTooManyInATierThatTheLayoutDoesNotNameIsLessUrgent() throws Exception {
    cluster.directory("/wrong", "layout:2 x fast + 1 x middle");
    Path file = write("/wrong/file", 1);
    cluster.setPolicy(new Path("/wrong"), "layout:1 x fast + 2 x middle");
    assertThat(found(file))
        .singleElement()
        .satisfies(block -> assertThat(block.urgency().label()).isEqualTo("wrong_tier"));
    cluster.files().delete(file, false);
    walk();
    assertThat(shown("BacklogBlocks").get("wrong_tier")).isZero();
  }

  @Test
  void nothingIsFoundInSafeModeAndAllAfterIt() throws Exception {
    cluster.directory("/safe", null);
    Path file = write("/safe/file", 2);
    cluster.setPolicy(new Path("/safe"), "layout:1 x fast + 2 x middle");
    assertThat(found(file)).hasSize(2);

    cluster.files().setSafeMode(SafeModeAction.ENTER);
    try {
      TieredCluster.await("the monitor waits", () -> cluster.monitor().backlog().queueSize() == 0);
    } finally {
      cluster.files().setSafeMode(SafeModeAction.LEAVE);
    }
    assertThat(found(file)).hasSize(2);
    cluster.files().delete(file, false);
  }

  private static Object attribute(String name) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    return server.getAttribute(
        new ObjectName("Hadoop:service=NameNode,name=TierwiseMonitor"), name);
  }

  private static Map<String, Long> shown(String name) throws Exception {
    Map<String, Long> values = new TreeMap<>();
    for (Object row : ((TabularData) attribute(name)).values()) {
      CompositeData entry = (CompositeData) row;
      values.put((String) entry.get("key"), (Long) entry.get("value"));
    }
    return values;
  }
}
